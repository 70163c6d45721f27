import { signal } from '@preact/signals';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NumberField } from '../../../web/src/ui/controls/NumberField';
import { NumberGrid, type NumberGridProps } from '../../../web/src/ui/grid/NumberGrid';

afterEach(() => {
  render(null, document.body);
});

const BOUNDS = { min: 1, max: 7, minReason: 'there must be one', maxReason: 'the kernel must fit', values: null };

function type(input: HTMLInputElement, text: string): void {
  act(() => {
    input.value = text;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

function press(target: Element, key: string): void {
  act(() => {
    target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  });
}

describe('a number field', () => {
  function show(value: number, bounds: Parameters<typeof NumberField>[0]['bounds'] = BOUNDS) {
    const onChange = vi.fn();
    act(() => render(<NumberField label="kernel" value={value} bounds={bounds} onChange={onChange} />, document.body));
    const box = document.querySelector<HTMLInputElement>('[role=spinbutton]');
    if (!box) throw new Error('no box');
    return { onChange, box };
  }

  it('takes a number as soon as it is one', () => {
    const { onChange, box } = show(3);
    type(box, '5');
    expect(onChange).toHaveBeenCalledExactlyOnceWith(5);
  });

  it('waits while the text is no number, and says for what', () => {
    const { onChange, box } = show(3);
    for (const text of ['', '-', '2.5', 'x']) type(box, text);
    expect(onChange).not.toHaveBeenCalled();
    expect(document.body.textContent).toContain('A whole number from 1 to 7.');
  });

  it('says why a bound is where it is', () => {
    const { onChange, box } = show(3);
    type(box, '9');
    expect(onChange).not.toHaveBeenCalled();
    expect(document.body.textContent).toContain('At most 7: the kernel must fit.');
    expect(box.getAttribute('aria-invalid')).toBe('true');
  });

  it.each([
    ['Enter', (box: HTMLInputElement) => press(box, 'Enter')],
    ['leaving it', (box: HTMLInputElement) => act(() => void box.dispatchEvent(new FocusEvent('blur')))],
  ])('goes back on %s to the value in force, and says why until the next edit', (_way, end) => {
    const { onChange, box } = show(3);
    type(box, '9');
    end(box);
    expect(box.value).toBe('3');
    expect(document.body.textContent).toContain('“9” was not taken. At most 7: the kernel must fit.');
    expect(onChange).not.toHaveBeenCalled();
    type(box, '5');
    expect(document.body.textContent).not.toContain('At most 7');
    expect(onChange).toHaveBeenCalledExactlyOnceWith(5);
  });

  it('forgets what was refused when the value is changed from elsewhere', () => {
    const { box } = show(3);
    type(box, '9');
    press(box, 'Enter');
    show(4);
    expect(document.body.textContent).not.toContain('At most 7');
  });

  it('steps over values that are not allowed', () => {
    const { onChange, box } = show(2, { ...BOUNDS, values: [1, 2, 4] });
    press(box, 'ArrowUp');
    expect(onChange).toHaveBeenLastCalledWith(4);
    type(box, '3');
    expect(document.body.textContent).toContain('One of 1, 2, 4');
  });
});

describe('a grid of numbers', () => {
  const data = {
    rows: 2,
    cols: 2,
    values: Float32Array.from([1, 2, 3, 1 / 3]),
    offset: 0,
    rowStep: 2,
    colStep: 1,
    ring: { top: 1, bottom: 0, left: 0, right: 0 },
  };

  function show(patch: Partial<NumberGridProps> = {}) {
    const events = { onHover: vi.fn(), onMove: vi.fn(), onPick: vi.fn(), onEdit: vi.fn() };
    const scale = { maxAbs: 3, ramp: 'signed', transfer: 'linear' } as const;
    const props = {
      label: 'x',
      data,
      scale,
      theme: 'light',
      size: 40,
      marks: signal([]),
      ...events,
      ...patch,
    } as const;
    act(() => render(<NumberGrid {...props} />, document.body));
    const cell = (row: number, col: number) => {
      const found = document.querySelector<HTMLElement>(`[data-row="${row}"][data-col="${col}"]`);
      if (!found) throw new Error(`no cell ${row}, ${col}`);
      return found;
    };
    return { ...events, cell };
  }

  it('is an ARIA grid with one tab stop', () => {
    show();
    const grid = document.querySelector('[role=grid]');
    expect(grid?.getAttribute('aria-label')).toBe('x');
    expect(grid?.getAttribute('aria-rowcount')).toBe('3');
    expect(document.querySelectorAll('[role=gridcell][tabindex="0"]')).toHaveLength(1);
  });

  it('names a cell by its figure, with the exact value beside a rounded one, and padding by its name', () => {
    const { cell } = show();
    expect(cell(0, 1).textContent).toBe('2');
    expect(cell(1, 1).textContent).toBe('0.333');
    expect(cell(1, 1).getAttribute('aria-description')).toBe('0.33333334');
    expect(cell(-1, 0).getAttribute('aria-label')).toBe('padding 0');
  });

  it('moves by the arrows and tells where to', () => {
    const { cell, onMove } = show();
    press(cell(0, 0), 'ArrowRight');
    expect(onMove).toHaveBeenLastCalledWith({ row: 0, col: 1 });
    expect(cell(0, 1).tabIndex).toBe(0);
    expect(cell(0, 0).tabIndex).toBe(-1);
  });

  it('is edited by Enter, and left alone by Escape', () => {
    const { cell, onEdit } = show();
    press(cell(0, 0), 'Enter');
    const box = document.querySelector<HTMLInputElement>('.edit-box');
    expect(box?.value).toBe('1');
    if (!box) return;
    box.value = '-2.5';
    press(box, 'Enter');
    expect(onEdit).toHaveBeenCalledExactlyOnceWith({ row: 0, col: 0 }, -2.5);
    press(cell(0, 0), 'Enter');
    const second = document.querySelector<HTMLInputElement>('.edit-box');
    if (!second) throw new Error('no box');
    second.value = '7';
    press(second, 'Escape');
    expect(onEdit).toHaveBeenCalledTimes(1);
    expect(document.querySelector('.edit-box')).toBeNull();
  });

  it('cannot be edited in the ring, nor when it is read-only', () => {
    const { cell, onPick } = show();
    press(cell(-1, 0), 'Enter');
    expect(document.querySelector('.edit-box')).toBeNull();
    expect(onPick).toHaveBeenCalledExactlyOnceWith({ row: -1, col: 0 });
    const readOnly = show({ onEdit: undefined });
    press(readOnly.cell(0, 0), 'Enter');
    expect(document.querySelector('.edit-box')).toBeNull();
    expect(readOnly.onPick).toHaveBeenCalledWith({ row: 0, col: 0 });
  });
});
