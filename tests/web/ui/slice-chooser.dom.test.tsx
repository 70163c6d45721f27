import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SliceChooser, visibleLines } from '../../../web/src/ui/grid/SliceChooser';

beforeEach(() => void vi.stubGlobal('OffscreenCanvas', class {}));
afterEach(() => {
  act(() => render(null, document.body));
  vi.unstubAllGlobals();
});

const ring = { top: 0, bottom: 0, left: 0, right: 0 };
const data = { rows: 2, cols: 2, offset: 0, rowStep: 2, colStep: 1, values: new Float32Array(4), ring };

function show(count: number, selected: number) {
  const onSelect = vi.fn();
  const sliceAt = vi.fn((index: number) => ({ index, data, involved: true }));
  const scale = { maxAbs: 1, ramp: 'signed', transfer: 'linear' } as const;
  const props = { label: 'filter of y', axis: 'k', first: 0, count, sliceAt, scale, selected, most: 20, onSelect };
  act(() => render(<SliceChooser {...props} />, document.body));
  return { onSelect, sliceAt };
}

const numbers = (root: Element | Document) =>
  [...root.querySelectorAll('[role=radio], input[type=radio]')].map((radio) => radio.getAttribute('aria-label'));

function toggle(newState: 'open' | 'closed'): Element {
  const sheet = document.querySelector('[popover]');
  if (!sheet) throw new Error('no sheet');
  for (const type of ['beforetoggle', 'toggle']) {
    act(() => void sheet.dispatchEvent(Object.assign(new Event(type), { newState })));
  }
  return sheet;
}

describe('a strip of thumbnails', () => {
  it.each([256, 100_000])('renders only the visible ones of %i slices', (count) => {
    const { sliceAt } = show(count, 57);
    expect(numbers(document)).toHaveLength(18);
    expect(numbers(document)).toContain('k=57');
    const sheet = toggle('open');
    const listed = numbers(sheet);
    expect(listed.length).toBeGreaterThan(100);
    expect(listed.length).toBeLessThan(300);
    expect(document.querySelectorAll('*').length).toBeLessThan(1500);
    expect(sliceAt.mock.calls.length).toBeLessThan(600);
    const room = sheet.querySelector<HTMLElement>('.slices__lines > div');
    expect(room?.style.height).toBe(`${Math.ceil(count / 12) * 39}px`);
    toggle('closed');
    expect(numbers(document)).toHaveLength(18);
  });

  it('selects the clicked slice at any scroll position', () => {
    const { onSelect } = show(100_000, 0);
    const sheet = toggle('open');
    const box = sheet.querySelector<HTMLElement>('.slices__lines');
    if (!box) throw new Error('no lines');
    Object.assign(sheet, { hidePopover: () => undefined });
    act(() => {
      box.scrollTop = 39 * 8000;
      box.dispatchEvent(new Event('scroll'));
    });
    const wanted = sheet.querySelector<HTMLInputElement>('[aria-label="k=96012"]');
    expect(wanted).not.toBeNull();
    act(() => wanted?.click());
    expect(onSelect).toHaveBeenCalledWith(96_012);
  });
});

describe('visibleLines', () => {
  it('returns the lines in the box and two around them', () => {
    expect(visibleLines(1000, 10, 500, 100)).toEqual({ first: 48, count: 14 });
    expect(visibleLines(1000, 10, 0, 100)).toEqual({ first: 0, count: 12 });
    expect(visibleLines(1000, 10, 9900, 100)).toEqual({ first: 988, count: 12 });
    expect(visibleLines(5, 10, 0, 100)).toEqual({ first: 0, count: 5 });
    // Scrolled past the last line, as when there are fewer lines than before.
    expect(visibleLines(5, 10, 900, 100)).toEqual({ first: 2, count: 3 });
  });
});
