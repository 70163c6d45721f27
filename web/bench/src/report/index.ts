export { withChoices } from './choices';
export { markdownOf } from './markdown';
export { svgOf } from './plot';
