import { coverageOf } from '../../geometry/axis';
import { gridOf, positionOf } from '../../geometry/grid';
import { cellName, withMinus } from '../../geometry/labels';
import type { GoalContext, Step } from '../../lessons/lesson';
import type { LinkContent } from '../../link/field';
import type { Cell, Geometry } from '../../protocol/problem';
import type { Problem } from '../../state/problem';

/**
 * What the reader has chosen in place of what the task asks for, and what to look for; null while nothing was chosen. `opening`: the state
 * that the step opened with.
 */
export function wrongChoiceOf(
  step: Step,
  opening: LinkContent,
  { problem, look, geometry: g }: GoalContext,
): string | null {
  if (step.asks !== undefined || !step.hint || !g) return null;
  const fact = step.solution?.startsWith('cell=')
    ? look.pinned && !isSame(look.pinned, opening.look.pinned) && factOf(g, look.pinned)
    : changeOf(g, opening.problem, problem);
  return fact ? `${fact} ${step.hint}` : null;
}

/** The change of the single 1 in dy, or of the sizes; null: neither. */
function changeOf(g: Geometry, before: Problem, { dy, desc }: Problem): string | null {
  if ('index' in dy && 'index' in before.dy) {
    return dy.index === before.dy.index ? null : `The 1 is now in ${cellName(g, { tensor: 'dy', index: dy.index })}.`;
  }
  return JSON.stringify(desc) === JSON.stringify(before.desc) ? null : `y is now ${g.oh} × ${g.ow}.`;
}

const isSame = (a: Cell, b: Cell | null): boolean => a.tensor === b?.tensor && a.index === b.index;

/** "x[2,2] is read by 9 windows." */
function factOf(g: Geometry, cell: Cell): string {
  const { row, col } = positionOf(g, cell);
  const name = cellName(g, cell);
  switch (cell.tensor) {
    case 'x':
    case 'dx': {
      const { rows, cols } = coverageOf(g);
      const times = (rows[row] ?? 0) * (cols[col] ?? 0);
      return `${name} is read by ${times === 0 ? 'no window' : times === 1 ? '1 window' : `${times} windows`}.`;
    }
    case 'y':
    case 'dy': {
      const at = [row * g.stride_h - g.padding.top, col * g.stride_w - g.padding.left].map(withMinus);
      return `The window of ${name} begins at x[${at.join(',')}].`;
    }
    case 'w':
    case 'dw': {
      const { size } = gridOf(g, 'y');
      const at = (i: number, j: number) =>
        [i * g.stride_h + row * g.dilation_h - g.padding.top, j * g.stride_w + col * g.dilation_w - g.padding.left]
          .map(withMinus)
          .join(',');
      return `${name} multiplies x[${at(0, 0)}] at the first position and x[${at(size.row - 1, size.col - 1)}] at the last.`;
    }
    default:
      return `You chose ${name}.`;
  }
}
