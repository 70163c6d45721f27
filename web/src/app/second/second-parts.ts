import type { Cell } from '../../protocol/problem';
import * as ofBoard from '../../views/board/parts';
import { boardParts } from '../../views/board/second';
import * as ofKit from '../../views/kit/parts';
import { kitParts } from '../../views/kit/second';
import { followsDrags } from '../../views/list';
import type { Page } from '../page/page';
import '../../ui/elements.css';

export { Controls } from '../controls/Controls';
export { FEATURES } from '../features/list';
export { predictorOf, toggleHidden } from '../lesson/predict/predictor';
export { changeNetwork, NetworkBar } from '../network/network-bar';
export { copyLink } from '../page/clipboard';
export { HeaderMenus } from '../page/HeaderMenus';
export { imageActionsOf } from '../page/image-actions';
export { PhoneSheet, PhoneStrip } from '../phone/PhoneSheet';
export { PendingLine } from '../questions/PendingLine';
export { SidePanel } from '../side/SidePanel';
export { Notices } from '../stage/Notices';
export { ColorScaleField, ForcedAlgorithms } from '../stage/ViewOptions';
export { afterFirstResult } from './after-first-result';
export { ImageDrop } from './ImageDrop';
export { lockBuild } from './offline/enable-offline';

kitParts.value = ofKit;
boardParts.value = ofBoard;

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
