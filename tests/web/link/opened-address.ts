import { afterEach, beforeEach, vi } from 'vitest';
import { linksOf } from '../../../web/src/geometry/links';
import { type Address, createAddress } from '../../../web/src/link/address';
import { readLink } from '../../../web/src/link/read-link';
import { createLook, type LookStore } from '../../../web/src/look/look-store';
import { createStore, type Store } from '../../../web/src/state/store';

interface Opened {
  readonly store: Store;
  readonly look: LookStore;
  readonly address: Address;
}

export const FOURTH = '#h=7&kh=3&stride=2&padding=1&x=ramp&weights=countdown:12';

let stop = () => {};

/** Fake clocks; stops the address listeners at the end of a test. */
export function addressTests(): void {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
  });
}

/** A page opened at an address, without components. */
export async function opened(hash = FOURTH): Promise<Opened> {
  window.location.hash = hash;
  const link = await readLink(hash);
  const look = createLook(() => linksOf, link.look);
  const store = createStore(link.problem, { look });
  const address = createAddress(store, look, link, window);
  stop = address.stop;
  return { store, look, address };
}

export const visit = (hash: string) => {
  window.location.hash = hash;
  window.dispatchEvent(new HashChangeEvent('hashchange'));
};

export const pause = async () => {
  await vi.advanceTimersByTimeAsync(500);
  await vi.dynamicImportSettled();
};
