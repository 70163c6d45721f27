import type { CountQuestion, ReadsQuestion } from '../../../web/src/app/lesson/exercise/question';
import type { ConvDesc, Geometry } from '../../../web/src/protocol/problem';
import type { Problem } from '../../../web/src/state/problem';
import { descOf, geometryOf } from '../geometry/arbitrary-geometry';
import { layerOf } from '../support/problems';

/** A position of the window, and the cell of x under each weight, also in the padding. */
interface Window {
  readonly row: number;
  readonly col: number;
  readonly taps: readonly { readonly p: number; readonly q: number; readonly r: number; readonly c: number }[];
}

/** Every window, found by moving the kernel over the padded x while it fits. */
function windowsOf(g: Geometry): readonly Window[] {
  const windows: Window[] = [];
  const fits = (first: number, kernel: number, dilation: number, end: number) => first + (kernel - 1) * dilation < end;
  let row = 0;
  for (let r = -g.padding.top; fits(r, g.kh, g.dilation_h, g.h + g.padding.bottom); r += g.stride_h) {
    let col = 0;
    for (let c = -g.padding.left; fits(c, g.kw, g.dilation_w, g.w + g.padding.right); c += g.stride_w) {
      const taps = [];
      for (let p = 0; p < g.kh; p += 1)
        for (let q = 0; q < g.kw; q += 1) taps.push({ p, q, r: r + p * g.dilation_h, c: c + q * g.dilation_w });
      windows.push({ row, col, taps });
      col += 1;
    }
    row += 1;
  }
  return windows;
}

const windowsIn = (desc: ConvDesc) => {
  const g = geometryOf(descOf(desc));
  return { g, windows: windowsOf(g) };
};

/** The answer to a question about sizes, counted by loops over every window. */
export function outputsOf({ title, desc }: CountQuestion): number {
  const { g, windows } = windowsIn(desc);
  const perFilter = (windows[0]?.taps.length ?? 0) * (g.c / g.groups);
  if (/rows does y/.test(title)) return new Set(windows.map(({ row }) => row)).size;
  if (/columns does y/.test(title)) return new Set(windows.map(({ col }) => col)).size;
  if (/channels does/.test(title)) return g.c / g.groups;
  if (/weights/.test(title)) return perFilter * g.k;
  if (/biases/.test(title)) return g.k;
  if (/products/.test(title)) return perFilter;
  throw new Error(`no count for “${title}”`);
}

/** The indices of the cells that the sum of a question reads, in ascending order. */
export function cellsOf({ title, problem }: ReadsQuestion): readonly number[] {
  const { g, windows } = windowsIn(layerOf(problem).desc);
  const [, tensor, row, col] = /sum of (\w+)\[(\d+),(\d+)\]/.exec(title) ?? [];
  const [at, on] = [Number(row), Number(col)];
  const found = new Set<number>();
  for (const window of windows)
    for (const { p, q, r, c } of window.taps) {
      if (r < 0 || r >= g.h || c < 0 || c >= g.w) continue;
      if (tensor === 'dx' && r === at && c === on) found.add(window.row * g.ow + window.col);
      if (tensor === 'y' && window.row === at && window.col === on) found.add(r * g.w + c);
      if (tensor === 'dw' && p === at && q === on) found.add(r * g.w + c);
    }
  return [...found].sort((a, b) => a - b);
}

/** The number of rows or columns of x that the first cell of the output depends on, marked forwards through all layers. */
export function reachedBy(title: string, problem: Problem): number {
  const along = /rows of x/.test(title) ? (['kh', 'stride_h'] as const) : (['kw', 'stride_w'] as const);
  const { x, layers } = problem;
  // For each line of a tensor, the lines of x that it depends on.
  let lines = Array.from({ length: x.shape[1] }, (_, line) => new Set([line]));
  for (const layer of layers) {
    const window = layer.fields;
    if (!('kh' in window)) continue;
    const [kernel, stride] = [window[along[0]], window[along[1]]];
    const next: Set<number>[] = [];
    for (let first = 0; first + kernel <= lines.length; first += stride)
      next.push(new Set(lines.slice(first, first + kernel).flatMap((read) => [...read])));
    lines = next;
  }
  const sizes = lines.map((read) => read.size);
  if (new Set(sizes).size !== 1) throw new Error('the cells of the output differ');
  return sizes[0] ?? 0;
}
