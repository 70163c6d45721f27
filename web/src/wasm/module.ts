export type { MainModule, Status } from './generated/conv2d';
