import { device } from '../../state/problem';

interface Device {
  readonly deviceMemory?: number;
  readonly maxTouchPoints?: number;
}

/** Limits undo and Back on small devices. Only some browsers tell their memory; others with a touch screen count as phones. */
export function measureMemory({ deviceMemory, maxTouchPoints = 0 }: Device = navigator): void {
  device.memory = Math.min(8, deviceMemory ?? (maxTouchPoints > 1 ? 2 : 8));
}
