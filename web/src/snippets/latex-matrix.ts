import { gridOf, indexAt } from '../geometry/grid';
import type { Geometry, TensorName } from '../protocol/problem';
import { numberLatex, symbol } from './latex';

/** Larger matrices do not fit on a page. */
const MOST = 64;

interface Slice {
  readonly tensor: TensorName;
  readonly slice: number;
  readonly channel: number;
}

/** One slice of a tensor as a matrix, with the padding of x outside of rules. Returns a sentence if it is too large. */
export function matrixLatex(
  g: Geometry,
  { tensor, slice, channel }: Slice,
  values: Float32Array,
): { readonly latex: string } | string {
  const grid = gridOf(g, tensor);
  const row = tensor === 'b' || tensor === 'db';
  const [rows, cols] = row ? [1, grid.size.channel] : [grid.size.row, grid.size.col];
  const ring = tensor === 'x' ? g.padding : { top: 0, bottom: 0, left: 0, right: 0 };
  const [height, width] = [ring.top + rows + ring.bottom, ring.left + cols + ring.right];
  if (height > MOST || width > MOST)
    return `${tensor} is ${height} × ${width}. The limit for a matrix is ${MOST} × ${MOST}.`;
  const valueAt = (r: number, c: number): string => {
    if (r < 0 || r >= rows || c < 0 || c >= cols) return '0';
    const position = row ? { slice: 0, row: 0, col: 0, channel: c } : { slice, row: r, col: c, channel };
    return numberLatex(values[indexAt(grid, position)] ?? 0);
  };
  const lines = Array.from({ length: height }, (_, r) => {
    const line = Array.from({ length: width }, (__, c) => valueAt(r - ring.top, c - ring.left)).join(' & ');
    const ends = (r === ring.top - 1 || r === ring.top + rows - 1) && r < height - 1;
    return `${line}${r < height - 1 ? ' \\\\' : ''}${ends ? ' \\hline' : ''}`;
  });
  const columns = [ring.left, cols, ring.right].map((count) => 'c'.repeat(count)).filter((part) => part !== '');
  const latex = `\
${nameOf(g, { tensor, slice, channel })} = \\left[\\begin{array}{${columns.join('|')}}
${lines.join('\n')}
\\end{array}\\right]`;
  return { latex };
}

/** The slice as a subscript, if there are several. */
function nameOf(g: Geometry, { tensor, slice, channel }: Slice): string {
  if (tensor === 'b' || tensor === 'db') return symbol(tensor);
  const { size } = gridOf(g, tensor);
  const parts = [
    ...(size.slice > 1 ? [/w$/.test(tensor) ? `k=${slice}` : `n=${slice}`] : []),
    ...(size.channel > 1 ? [/y$/.test(tensor) ? `k=${channel}` : `c=${channel}`] : []),
  ];
  return parts.length > 0 ? `${symbol(tensor)}_{${parts.join(',\\,')}}` : symbol(tensor);
}
