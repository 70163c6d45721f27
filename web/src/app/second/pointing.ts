import type { Cell } from '../../protocol/problem';
import { followsDrags } from '../../views/list';
import type { Page } from '../page/page';

/**
 * Puts the 1 of a dy that follows the pointer into a cell of y or dy. Not while values are hidden, because it would change what is
 * to be predicted, and not in a view that would have to ask about each move.
 */
export function pointAt({ store, look, scene }: Page, cell: Cell | null): void {
  const content = scene.peek();
  const isOutput = cell?.tensor === 'y' || cell?.tensor === 'dy';
  if (!content || !isOutput || look.masked.peek().length > 0 || !followsDrags(look.mode.peek())) return;
  store.pointDy(cell.index, content.geometry);
  const { dy } = store.problem.peek();
  if (dy.kind === 'pointed' && dy.index === cell.index) look.moveSuggestion({ tensor: 'y', index: cell.index });
}
