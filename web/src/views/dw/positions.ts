import { gridOf } from '../../geometry/grid';
import { stepCount } from '../../geometry/steps';
import type { ViewState } from '../../look/look';
import type { Geometry } from '../../protocol/problem';
import type { Area, Mark } from '../../ui/grid/marks';
import { counted } from '../../ui/quantities';

/** Positions of the dilated dy that are done; all of them at first. */
export function stepsDone(g: Geometry, { t }: ViewState): number {
  const total = stepCount(g, 'dw_dilated_dy');
  return typeof t === 'number' ? Math.max(0, Math.min(total, Math.round(t))) : total;
}

const even = { rowStep: 1, colStep: 1 };

/** Positions past the kernel: they exist only where the stride leaves a remainder. */
export function croppedPositions(g: Geometry): readonly Mark[] {
  const { row, col } = gridOf(g, 'dw_uncropped').size;
  return [
    { ...even, row: g.kh, col: 0, rows: row - g.kh, cols: col },
    { ...even, row: 0, col: g.kw, rows: g.kh, cols: col - g.kw },
  ]
    .filter(({ rows, cols }) => rows * cols > 0)
    .map((area): Mark => ({ tone: 'unread', area }));
}

const hasCroppedPositions = (g: Geometry): boolean => croppedPositions(g).length > 0;

/** Says that the positions past the kernel are cropped. */
export function cropSentence(g: Geometry): string {
  if (!hasCroppedPositions(g))
    return 'The stride leaves no remainder, so there are exactly as many positions as weights.';
  const left = [
    g.remainder_h > 0 ? counted(g.remainder_h, 'row') : '',
    g.remainder_w > 0 ? counted(g.remainder_w, 'column') : '',
  ];
  const { row, col } = gridOf(g, 'dw_uncropped').size;
  return `The stride leaves ${left.filter(Boolean).join(' and ')} of x unread, so dy has ${row} × ${col} positions. The hatched ones belong to no weight and are cropped.`;
}

/** Cells of x under the cells (not the inserted zeros) of the upsampled dy at a position, relative to x[0,0]. */
export function cellsUnder(g: Geometry, row: number, col: number): Area {
  return {
    row: row * g.dilation_h - g.padding.top,
    col: col * g.dilation_w - g.padding.left,
    rows: g.oh,
    cols: g.ow,
    rowStep: g.stride_h,
    colStep: g.stride_w,
  };
}

/** Positions that are not done yet. */
export function pendingPositions(g: Geometry, done: number): readonly Mark[] {
  const { row: rows, col: cols } = gridOf(g, 'dw_uncropped').size;
  const row = Math.floor(done / cols);
  const col = done % cols;
  return [
    { ...even, row, col, rows: 1, cols: cols - col },
    { ...even, row: row + 1, col: 0, rows: rows - row - 1, cols },
  ]
    .filter((area) => area.rows > 0 && area.row < rows)
    .map((area): Mark => ({ tone: 'pending', area }));
}
