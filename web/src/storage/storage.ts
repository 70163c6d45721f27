/** Text in the storage of the browser, which may be blocked (private window, file URL) or full. */

type StorageArea = 'localStorage' | 'sessionStorage';

/** All pages of an origin share its storage. boot/boot.ts uses the same prefix. */
export const PREFIX = 'conv2d playground ';

/** null: nothing is stored, or storage is blocked. Earlier versions had keys without the prefix. */
export function readStored(area: StorageArea, key: string): string | null {
  try {
    return window[area].getItem(PREFIX + key) ?? window[area].getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text. False: it is lost when the page is closed. */
export function writeStored(area: StorageArea, key: string, text: string): boolean {
  try {
    window[area].setItem(PREFIX + key, text);
    return true;
  } catch {
    return false;
  }
}
