import type { CountQuestion } from '../../../web/src/app/lesson/exercise/question';
import { descOf, geometryOf } from '../geometry/arbitrary-geometry';

/** The answer to a question about sizes, counted by loops over every window. */
export function outputsOf({ title, desc }: CountQuestion): number {
  const g = geometryOf(descOf(desc));
  const windows: { readonly row: number; readonly col: number; readonly cells: Set<string> }[] = [];
  let rows = 0;
  let cols = 0;
  const fits = (first: number, kernel: number, dilation: number, end: number) => first + (kernel - 1) * dilation < end;
  for (let r = -g.padding.top; fits(r, g.kh, g.dilation_h, g.h + g.padding.bottom); r += g.stride_h) {
    cols = 0;
    for (let c = -g.padding.left; fits(c, g.kw, g.dilation_w, g.w + g.padding.right); c += g.stride_w) {
      const cells = new Set<string>();
      for (let p = 0; p < g.kh; p += 1)
        for (let q = 0; q < g.kw; q += 1) cells.add(`${r + p * g.dilation_h},${c + q * g.dilation_w}`);
      windows.push({ row: rows, col: cols, cells });
      cols += 1;
    }
    rows += 1;
  }
  const [, cell = ''] = /x\[([\d,]+)\]/.exec(title) ?? [];
  const reading = windows.filter(({ cells }) => cells.has(cell));
  const perFilter = (windows[0]?.cells.size ?? 0) * (g.c / g.groups);
  if (/rows does y/.test(title)) return rows;
  if (/columns does y/.test(title)) return cols;
  if (/channels does/.test(title)) return g.c / g.groups;
  if (/weights/.test(title)) return perFilter * g.k;
  if (/biases/.test(title)) return g.k;
  if (/products/.test(title)) return perFilter;
  if (/first row/.test(title)) return Math.min(...reading.map(({ row }) => row));
  if (/last column/.test(title)) return Math.max(...reading.map(({ col }) => col));
  return reading.length;
}
