export { PhoneSheet } from './PhoneSheet';
export { Strip } from './Strip';
