import type { Area } from '../../../web/src/ui/grid/marks';

/** True if a cell belongs to the area of a mark. */
export const contains = (area: Area, row: number, col: number): boolean =>
  isOnSteps(row - area.row, area.rows, area.rowStep) && isOnSteps(col - area.col, area.cols, area.colStep);

const isOnSteps = (distance: number, count: number, step: number): boolean =>
  distance >= 0 && distance % step === 0 && distance / step < count;
