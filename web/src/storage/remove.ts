import { PREFIX } from './storage';

/** Removes a text of this tab, also that of an earlier version. */
export function removeStored(key: string): boolean {
  try {
    for (const each of [PREFIX + key, key]) window.sessionStorage.removeItem(each);
    return true;
  } catch {
    return false;
  }
}
