export { markdownOf } from './markdown';
export { svgOf } from './plot';
