import type { Cell } from '../../protocol/problem';
import { followsPointer, singleOf } from '../../sources/loss';
import { followsDrags } from '../../views/list';
import { overviewParts } from '../../views/overview/deferred';
import * as ofBoard from '../../views/overview/parts';
import { sharedParts } from '../../views/shared/deferred';
import * as ofKit from '../../views/shared/parts';
import type { Page } from '../page/page';
import '../../ui/elements.css';

export { ControlColumn } from '../controls/ControlColumn';
export { FEATURES } from '../features/list';
export { predictorOf, toggleHidden } from '../lesson/predict/predictor';
export { changeNetwork, NetworkBar } from '../network/network-bar';
export { copyLink } from '../page/clipboard';
export { HeaderMenus } from '../page/HeaderMenus';
export { imageActionsOf } from '../page/image-actions';
export { PendingLine } from '../questions/PendingLine';
export { SideButton, SidePanel } from '../side/SidePanel';
export { ColorScaleField } from '../stage/ColorScaleField';
export { Notices } from '../stage/Notices';
export { ViewMenu } from '../stage/ViewMenu';
export { ForcedAlgorithms } from '../stage/ViewOptions';
export { afterFirstResult } from './after-first-result';
export { FileDrop } from './FileDrop';
export { lockBuild } from './offline/enable-offline';

sharedParts.value = ofKit;
overviewParts.value = ofBoard;

/**
 * Puts the 1 of a dy that follows the pointer into a cell of y or dy. Not while values are hidden, because it would change what is
 * to be predicted, and not in a view that would have to ask about each move.
 */
export function pointAt({ store, look, currentContent }: Page, cell: Cell | null): void {
  const content = currentContent.peek();
  const isOutput = cell?.tensor === 'y' || cell?.tensor === 'dy';
  if (!content || !isOutput || look.hiddenCells.peek().length > 0 || !followsDrags(look.mode.peek())) return;
  store.pointDy(cell.index, content.geometry);
  const { loss } = store.problem.peek();
  if (followsPointer(loss) && singleOf(loss)?.index === cell.index)
    look.moveSuggestion({ tensor: 'y', index: cell.index });
}
