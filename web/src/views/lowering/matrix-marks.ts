import type { MatrixForm } from '../../geometry/grid';
import type { Mark } from '../../ui/grid/marks';

/** The pending rows of a matrix, as displayed. */
export function pendingRows(done: number, rows: number, cols: number, { transposed }: MatrixForm): readonly Mark[] {
  const rest = rows - done;
  if (rest <= 0) return [];
  const even = { rowStep: 1, colStep: 1 };
  const area = transposed
    ? { row: 0, col: done, rows: cols, cols: rest, ...even }
    : { row: done, col: 0, rows: rest, cols, ...even };
  return [{ tone: 'pending', area }];
}
