export type { MainModule as NetworkModule } from './generated/network';
