import { cellName } from '../geometry/labels';
import { linksOf } from '../geometry/links';
import { Graph } from '../views/board/Graph';
import { LossText } from '../views/board/LossText';
import { boardParts } from '../views/board/second';
import { WindowPlayer } from '../views/board/WindowPlayer';
import { PlaneChooser } from '../views/kit/PlaneChooser';
import { kitParts } from '../views/kit/second';
import { frameOf } from '../views/kit/walk/frame';

export { afterFirstResult } from './after-first-result';
export { Controls } from './controls/Controls';
export { copyLink } from './copy-link';
export { ImageDrop } from './ImageDrop';
export { imageActionsOf } from './image-actions';
export { lockBuild } from './offline/enable-offline';
export { PhoneSheet } from './phone/PhoneSheet';
export { Strip } from './phone/Strip';
export { predictorOf, toggleHidden } from './predict/predictor';
export { PendingLine } from './questions/PendingLine';
export { SidePanel } from './side/SidePanel';
export { CommonSettings } from './stage/CommonSettings';
export { Notices } from './stage/Notices';

kitParts.value = { PlaneChooser, cellName, linksOf };
boardParts.value = { Graph, LossText, WindowPlayer, frameOf };
