import type { CountQuestion, ReadsQuestion } from '../../../web/src/app/lesson/exercise/question';
import { parseLink } from '../../../web/src/link/parse-link';
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

/** A transposed convolution: for each row or column of y, the number of windows of x along that axis that reach it. */
function stampedLines(axis: 'h' | 'w', { layers }: Problem, x: number): readonly number[] {
  const layer = layers.at(-1);
  if (layer?.kind !== 'conv_transpose') throw new Error('the layer is not transposed');
  const { fields } = layer;
  const [first, last] = axis === 'h' ? (['top', 'bottom'] as const) : (['left', 'right'] as const);
  const [stride, kernel] = [fields[`stride_${axis}`], fields[`k${axis}`]];
  const reached: number[] = [];
  for (let cell = 0; cell < x; cell += 1)
    for (let tap = 0; tap < kernel; tap += 1) {
      const at = cell * stride + tap;
      while (reached.length <= at) reached.push(0);
      reached[at] = (reached[at] ?? 0) + 1;
    }
  const { [first]: before, [last]: after } = fields.padding;
  const added = Array.from({ length: fields[`output_padding_${axis}`] }, () => 0);
  const whole = [...reached, ...added];
  return whole.slice(before, whole.length - after);
}

/** The same as `outputsOf` for a transposed convolution. */
function transposedOf({ title, link }: CountQuestion): number {
  const { problem } = parseLink(link);
  const { h, w } = layerOf(problem).desc;
  const [rows, cols] = [stampedLines('h', problem, h), stampedLines('w', problem, w)];
  const layer = problem.layers.at(-1);
  if (layer?.kind !== 'conv_transpose') throw new Error('the layer is not transposed');
  const { kh, kw, stride_h } = layer.fields;
  if (/rows does y/.test(title)) return rows.length;
  if (/columns does y/.test(title)) return cols.length;
  // Of an x that is large enough to have an inside.
  const inside = (axis: 'h' | 'w', kernel: number) =>
    stampedLines(axis, problem, 40).slice(2 * kernel, 80 - 2 * kernel);
  const [down, across] = [inside('h', kh), inside('w', kw)];
  if (/at most/.test(title)) return Math.max(...down) * Math.max(...across);
  if (/at least/.test(title)) return Math.min(...down) * Math.min(...across);
  if (/products are added for one cell of dw/.test(title)) return h * w;
  if (/the output padding of/.test(title)) {
    const more = (output_padding_h: number) =>
      stampedLines('h', { ...problem, layers: [{ ...layer, fields: { ...layer.fields, output_padding_h } }] }, h);
    const sizes = Array.from({ length: stride_h }, (_, each) => more(each).length);
    return sizes.indexOf(Number(/y has (\d+)/.exec(title)?.[1]));
  }
  const evenFrom = (kernel: number): number => {
    const lines = stampedLines(
      'h',
      { ...problem, layers: [{ ...layer, fields: { ...layer.fields, kh: kernel } }] },
      40,
    );
    return new Set(lines.slice(kernel, lines.length - 2 * kernel)).size === 1 ? kernel : evenFrom(kernel + 1);
  };
  if (/smallest kernel/.test(title)) return evenFrom(kh);
  throw new Error(`no count for “${title}”`);
}

/** The answer to a question about sizes, counted by loops over every window. */
export function outputsOf(question: CountQuestion): number {
  const { title, desc, link } = question;
  if (link.includes('conv_transpose')) return transposedOf(question);
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
