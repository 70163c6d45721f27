import { describe, expect, it, vi } from 'vitest';
import { linkTo, type NotebookCase, TESTED_CASES } from '../../e2e/support/notebook';
import { cellAt, exact, grid, one, part, says, shown, texts } from '../support/page/find';
import { NOTEBOOK_4, open, usePage, wait } from '../support/page/open';
import { choose, explained, headline, openMode, slider } from '../support/page/stage';
import { click, focus, hover, press } from '../support/page/user';

usePage();

async function im2col(hash = NOTEBOOK_4): Promise<HTMLElement> {
  await open(hash);
  return openMode('im2col');
}

/** x_col of x = 0, 1, 2, ... by definition; without the padding. */
function unrolled({ x_shape, w_shape, y_shape, stride, padding }: NotebookCase): number[] {
  const [n, h, w, c] = x_shape;
  const [kh, kw] = w_shape;
  const entries: number[] = [];
  for (let i = 0; i < n * y_shape[1] * y_shape[2]; i += 1) {
    const [image, row, col] = [
      Math.floor(i / (y_shape[1] * y_shape[2])),
      Math.floor(i / y_shape[2]) % y_shape[1],
      i % y_shape[2],
    ];
    for (let t = 0; t < kh * kw * c; t += 1) {
      const y = row * stride[0] - padding[0] + Math.floor(t / (kw * c));
      const x = col * stride[1] - padding[2] + (Math.floor(t / c) % kw);
      if (y >= 0 && y < h && x >= 0 && x < w) entries.push(((image * h + y) * w + x) * c + (t % c));
    }
  }
  return entries;
}

it.each(TESTED_CASES.filter(({ x_shape }) => x_shape[0] === 1).map((each) => [each.name, each] as const))(
  'x_col of case %s has the values of the windows',
  async (_, each) => {
    await im2col(linkTo(each));
    expect(exact('x_col')).toEqual(unrolled(each));
  },
);

describe('im2col of notebook case 4', () => {
  it('links the hovered cell to the other grid and to the text', async () => {
    const view = await im2col();
    await hover(cellAt('x', 2, 2));
    expect(says('x[1,1] is in x_col 4 times', view)).toBe(true);
    await hover(cellAt('x_col', 5, 4));
    expect(says('Row 5 of x_col is the window of y[1,1]', view)).toBe(true);
    expect(headline()).toBe('x_col[5,4] = 16');
    await choose('weight', view);
    await hover(cellAt('x_col', 5, 4));
    expect(says('every pixel that w[1,1] multiplies', view)).toBe(true);
    await choose('3 col2im', view);
    await hover(cellAt('dx_col', 5, 0));
    expect(headline()).toBe('dx_col[5,0] = 12');
    expect(explained().textContent).toContain('dx_col[5,0]');
  });

  it('transposes and reorders the columns without changing values', async () => {
    const view = await im2col('#h=4&w=4&kh=2&kw=2&c=2&stride=2&padding=0&x=ramp');
    // Channels last: the first window has 0, 1 of the first pixel, then 2, 3, then those of the next row.
    expect(shown('x_col').slice(0, 8)).toEqual([0, 1, 2, 3, 8, 9, 10, 11]);
    await choose('c, kh, kw', view);
    expect(shown('x_col').slice(0, 8)).toEqual([0, 2, 8, 10, 1, 3, 9, 11]);
    await click(one('checkbox', 'transpose', view));
    expect(shown('x_col transposed').slice(0, 4)).toEqual([0, 4, 16, 20]);
  });

  it('shows that only the sum is the gradient', async () => {
    const view = await im2col();
    await choose('3 col2im', view);
    expect(says('slope of the loss is 32', view)).toBe(true);
    expect(says('Only the sum matches the slope', view)).toBe(true);
    const rows = texts('tr', view);
    for (const row of ['add32', 'average8', 'overwrite12']) expect(rows).toContain(row);
    await choose('average', view);
    expect(says(/cells differ from the sum/, view)).toBe(true);
    expect(shown('dx').every((value) => value <= 12)).toBe(true);
    // Another cell: with one copy all variants agree.
    await click(cellAt('dx', 0, 0));
    expect(says('One copy: there is nothing to add', view)).toBe(true);
  });

  /** The first row of dx_col is added after a pause. */
  async function addOneRow(): Promise<void> {
    await choose('3 col2im', await im2col());
    await press('Home', slider('rows of dx_col added to dx'));
    expect(new Set(shown('dx'))).toEqual(new Set([0]));
    await wait(700);
    await press('ArrowRight');
  }
  const flying = () => texts('.travel');

  it('col2im adds a row with an animation of its copies, from their cells to those of dx', async () => {
    const moves: unknown[] = [];
    const rect = (left: number, top: number, width: number) => ({ left, top, width, height: width }) as DOMRect;
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      const { row, col } = (this as HTMLElement).dataset;
      // Cells of 10 pixels, and of 20.
      if (this.closest('.panel--dx_col')) return rect(100 + 10 * Number(col), 50 + 10 * Number(row), 10);
      return rect(300 + 20 * Number(col), 60 + 20 * Number(row), 20);
    });
    const { animate } = Element.prototype;
    vi.spyOn(Element.prototype, 'animate').mockImplementation(function (this: HTMLElement, frames, options) {
      const last = (frames as Keyframe[]).at(-1);
      moves.push([this.textContent, this.style.left, this.style.top, last?.['transform']]);
      return animate.call(this, frames, options);
    });
    await addOneRow();
    // The window of y[0,0] begins in the padding: its row has 8, 7, 5 and 4 for the cells 0 and 1 of two rows of x.
    expect(flying()).toEqual(['8', '7', '5', '4']);
    // From the middle of a cell of row 0 to that of a cell of dx.
    const move = (text: string, from: number, row: number, col: number) => [
      ...[text, `${100 + 10 * from}px`, '50px'],
      `translate(${300 + 20 * col + 10 - (100 + 10 * from + 5)}px, ${60 + 20 * row + 10 - (50 + 5)}px) scale(2)`,
    ];
    expect(moves).toEqual([move('8', 4, 0, 0), move('7', 5, 0, 1), move('5', 7, 1, 0), move('4', 8, 1, 1)]);
    await wait(500);
    expect(flying()).toEqual([]);
    expect(shown('dx').slice(0, 3)).toEqual([8, 7, 0]);
    expect(shown('dx').slice(7, 10)).toEqual([5, 4, 0]);
    // A quick second step has none.
    await press('ArrowRight');
    await wait(500);
    await press('ArrowRight');
    await press('ArrowRight');
    expect(flying()).toEqual([]);
  });

  it('col2im adds a row without an animation if motion is reduced', async () => {
    const { matchMedia } = window;
    vi.stubGlobal('matchMedia', (query: string) =>
      query.includes('reduced-motion') ? { matches: true } : matchMedia(query),
    );
    await addOneRow();
    expect(flying()).toEqual([]);
    expect(shown('dx').slice(0, 3)).toEqual([8, 7, 0]);
  });
});

it('navigates the 50,176 rows of a photo by keyboard', async () => {
  const view = await im2col('#h=224&w=224&c=3&k=2&kh=3&kw=3&stride=1&padding=1&x=sample:landscape&weights=random:2');
  const matrix = grid('x_col');
  expect([matrix.getAttribute('aria-rowcount'), matrix.getAttribute('aria-colcount')]).toEqual(['50176', '27']);
  expect(says('1,354,752 values', view)).toBe(true);
  await focus(one('gridcell', undefined, matrix));
  await press('Control+End');
  expect(says('Row 50175 of x_col is the window of y[223,223,0]', view)).toBe(true);
  expect(part('[role=gridcell]', grid('x_col'))).toBe(document.activeElement);
});
