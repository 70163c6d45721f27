import { signal } from '@preact/signals';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Segmented } from '../../../web/src/ui/controls/Choice';
import { NumberField } from '../../../web/src/ui/controls/NumberField';
import { Tabs } from '../../../web/src/ui/controls/Tabs';
import { NumberGrid, type NumberGridProps } from '../../../web/src/ui/grid/NumberGrid';

afterEach(() => {
  render(null, document.body);
});

const BOUNDS = {
  min: 1,
  max: 7,
  minReason: 'a kernel has at least one row',
  maxReason: 'the kernel must fit',
  values: null,
};

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

  it('applies a number as soon as it is valid', () => {
    const { onChange, box } = show(3);
    type(box, '5');
    expect(onChange).toHaveBeenCalledExactlyOnceWith(5);
  });

  it('keeps the value and shows the bounds while the text is not a number', () => {
    const { onChange, box } = show(3);
    for (const text of ['', '-', '2.5', 'x']) type(box, text);
    expect(onChange).not.toHaveBeenCalled();
    expect(document.body.textContent).toContain('Enter a whole number from 1 to 7.');
  });

  it('reports it in a permanent live region that does not interrupt typing', () => {
    const { box } = show(3);
    const region = document.querySelector('.number-field [aria-live]');
    expect(region?.getAttribute('aria-live')).toBe('polite');
    expect(region?.textContent).toBe('');
    type(box, '2.5');
    expect(document.querySelector('.number-field [aria-live]')).toBe(region);
    expect(region?.textContent).toBe('Enter a whole number from 1 to 7.');
    expect(document.querySelector('[role=alert]')).toBeNull();
    expect(box.getAttribute('aria-describedby')).toBe(region?.querySelector('p')?.id);
  });

  it('gives the reason of a bound', () => {
    const { onChange, box } = show(3);
    type(box, '9');
    expect(onChange).not.toHaveBeenCalled();
    expect(document.body.textContent).toContain('At most 7: the kernel must fit.');
    expect(box.getAttribute('aria-invalid')).toBe('true');
  });

  it.each([
    ['Enter', (box: HTMLInputElement) => press(box, 'Enter')],
    ['blur', (box: HTMLInputElement) => act(() => void box.dispatchEvent(new FocusEvent('blur')))],
  ])('restores the value on %s, and shows the reason until the next edit', (_event, end) => {
    const { onChange, box } = show(3);
    type(box, '9');
    end(box);
    expect(box.value).toBe('3');
    expect(document.body.textContent).toContain('“9” is not allowed. At most 7: the kernel must fit.');
    expect(onChange).not.toHaveBeenCalled();
    type(box, '5');
    expect(document.body.textContent).not.toContain('At most 7');
    expect(onChange).toHaveBeenCalledExactlyOnceWith(5);
  });

  it('clears the error when the value changes from outside', () => {
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

describe('tabs', () => {
  it('move by arrow keys, Home and End', () => {
    let selected = 'b';
    const show = () =>
      act(() =>
        render(
          <Tabs
            label="views"
            tabs={['a', 'b', 'c', 'd'].map((id) => ({ id, title: id, content: () => id }))}
            selected={selected}
            onSelect={(id) => {
              selected = id;
            }}
          />,
          document.body,
        ),
      );
    const go = (key: string) => {
      const from = document.querySelector('[aria-selected=true]');
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      act(() => void from?.dispatchEvent(event));
      show();
      expect(document.activeElement?.textContent).toBe(selected);
      // The page does not scroll.
      expect(event.defaultPrevented).toBe(true);
      return selected;
    };
    show();
    expect(['End', 'ArrowRight', 'End', 'ArrowLeft', 'Home', 'ArrowLeft'].map(go)).toEqual([
      'd',
      'a',
      'd',
      'c',
      'a',
      'd',
    ]);
    const other = new KeyboardEvent('keydown', { key: 'PageDown', bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(other);
    expect([selected, other.defaultPrevented]).toEqual(['d', false]);
  });
});

describe('the hint of an option', () => {
  const OPTIONS = [
    { value: 'valid', label: 'valid', hint: 'no padding' },
    { value: 'same', label: 'same', hint: 'the output has input / stride cells' },
    { value: 'custom', label: 'custom' },
  ] as const;

  function show() {
    act(() => render(<Segmented label="padding" options={OPTIONS} value="valid" onChange={vi.fn()} />, document.body));
    const radios = [...document.querySelectorAll<HTMLInputElement>('input')];
    const hint = () => document.querySelector('.segmented__hint')?.textContent ?? null;
    const touch = (at: number, pointerType = 'touch') =>
      act(() => {
        radios[at]?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerType }));
        radios[at]?.dispatchEvent(new PointerEvent('pointerup', { bubbles: true, pointerType }));
      });
    /** Focuses an option, with or without :focus-visible. */
    const focus = (at: number, visible: boolean) =>
      act(() => {
        const radio = radios[at];
        if (!radio) return;
        vi.spyOn(radio, 'matches').mockReturnValue(visible);
        radio.focus();
      });
    return { radios, hint, touch, focus };
  }

  it('is the accessible description of its option', () => {
    const { radios, hint } = show();
    expect(radios.map((radio) => radio.getAttribute('aria-description'))).toEqual([
      'no padding',
      'the output has input / stride cells',
      null,
    ]);
    expect(hint()).toBeNull();
  });

  it('is shown on keyboard focus until blur or Esc', () => {
    const { radios, hint, focus } = show();
    focus(1, true);
    expect(hint()).toBe('the output has input / stride cells');
    focus(2, true);
    expect(hint()).toBeNull();
    focus(0, true);
    expect(hint()).toBe('no padding');
    press(radios[0] as Element, 'Escape');
    expect(hint()).toBeNull();
    focus(1, true);
    act(() => radios[1]?.blur());
    expect(hint()).toBeNull();
  });

  it('is shown on touch until the next touch elsewhere', () => {
    const { hint, touch } = show();
    touch(1);
    expect(hint()).toBe('the output has input / stride cells');
    touch(0);
    expect(hint()).toBe('no padding');
    act(() => void document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })));
    expect(hint()).toBeNull();
  });

  it('is not shown for a mouse, which gets the tooltip', () => {
    const { hint, touch, focus } = show();
    touch(1, 'mouse');
    focus(1, false);
    expect(hint()).toBeNull();
  });
});

describe('a grid of values', () => {
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

  it('names a cell by its text, describes a rounded one by its exact value, and names padding', () => {
    const { cell } = show();
    expect(cell(0, 1).textContent).toBe('2');
    expect(cell(1, 1).textContent).toBe('0.333');
    expect(cell(1, 1).getAttribute('aria-description')).toBe('0.33333334');
    expect(cell(-1, 0).getAttribute('aria-label')).toBe('padding 0');
  });

  it('moves by arrow keys and reports the new cell', () => {
    const { cell, onMove } = show();
    press(cell(0, 0), 'ArrowRight');
    expect(onMove).toHaveBeenLastCalledWith({ row: 0, col: 1 });
    expect(cell(0, 1).tabIndex).toBe(0);
    expect(cell(0, 0).tabIndex).toBe(-1);
  });

  it('is edited by Enter and unchanged by Escape', () => {
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

  it('cannot be edited in the ring or if it is read-only', () => {
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
