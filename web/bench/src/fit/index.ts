export { explains, fitFamily } from './family';
export { readPrices, writeTable } from './table';
