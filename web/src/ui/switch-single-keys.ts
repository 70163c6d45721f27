import { writeStored } from '../storage/storage';
import { STORAGE_KEY, singleKeys } from './single-keys';

/** Turns one-key shortcuts on or off; this browser remembers it. */
export function switchSingleKeys(on: boolean): void {
  singleKeys.value = on;
  writeStored('localStorage', STORAGE_KEY, on ? 'on' : 'off');
}
