import { signal } from '@preact/signals';
import { readStored } from '../storage/storage';

export const STORAGE_KEY = 'single-keys';

/** One-key shortcuts are on. Speech input and tremor press them by mistake, so they can be turned off (WCAG 2.1.4). */
export const singleKeys = signal(true);

/** Reads the stored choice. An embed does not call it. */
export function startSingleKeys(): void {
  singleKeys.value = readStored('localStorage', STORAGE_KEY) !== 'off';
}

/** `keys` in ARIA's notation. The brackets of a player are not single keys: they work only in the player. */
export const isSingle = (keys: string): boolean => /^[a-z?]$/i.test(keys);

/** The pressed key is a single-key shortcut, and these are off. Letters that are not Latin count (commands/list.ts). */
export const isSwitchedOff = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !singleKeys.peek() && (isSingle(key) || key > '\u024f') && !ctrlKey && !metaKey && !altKey;
