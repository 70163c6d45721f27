export { cellName } from '../../geometry/labels';
export { linksOf } from '../../geometry/links';
export { ColorLegend } from '../../ui/grid/ColorLegend';
export { DyMenu } from './DyMenu';
export { PlaneChooser } from './PlaneChooser';
