import { cellName } from '../../geometry/labels';
import { linksOf } from '../../geometry/links';
import { Graph } from '../../views/board/Graph';
import { LossText } from '../../views/board/LossText';
import { boardParts } from '../../views/board/second';
import { WindowPlayer } from '../../views/board/WindowPlayer';
import { PlaneChooser } from '../../views/kit/PlaneChooser';
import { kitParts } from '../../views/kit/second';
import { frameOf, pendingAreas } from '../../views/kit/walk/frame';
import '../../ui/elements.css';

export { Controls } from '../controls/Controls';
export { predictorOf, toggleHidden } from '../lesson/predict/predictor';
export { copyLink } from '../page/copy-link';
export { HeaderMenus } from '../page/HeaderMenus';
export { imageActionsOf } from '../page/image-actions';
export { PhoneSheet } from '../phone/PhoneSheet';
export { Strip } from '../phone/Strip';
export { PendingLine } from '../questions/PendingLine';
export { SidePanel } from '../side/SidePanel';
export { ColorScaleField } from '../stage/ColorScaleField';
export { ForcedAlgorithms } from '../stage/ForcedAlgorithms';
export { Notices } from '../stage/Notices';
export { afterFirstResult } from './after-first-result';
export { ImageDrop } from './ImageDrop';
export { lockBuild } from './offline/enable-offline';

kitParts.value = { PlaneChooser, cellName, linksOf };
boardParts.value = { Graph, LossText, WindowPlayer, frameOf, pendingAreas };
