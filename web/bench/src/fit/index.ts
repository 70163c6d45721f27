export { explains, fitFamily } from './family';
export { readCoefficients, writeTable } from './table';
