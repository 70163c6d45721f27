import { beforeAll } from 'vitest';
import { parseLink } from '../../../web/src/link/parse-link';
import { loadSamples } from '../../../web/src/sources/tensor-sources';
import { createStore, type Store } from '../../../web/src/state/store';
import { FakeLibrary } from './fake-compute';

export const FOURTH = 'h=7&kh=3&stride=2&padding=1&x=ramp&weights=countdown:12';

export const storeTests = (): void => beforeAll(loadSamples);

/** A store with its first result, and its clock. */
export async function opened(
  hash = FOURTH,
): Promise<{ store: Store; library: FakeLibrary; tick: (ms: number) => void }> {
  let time = 0;
  const store = createStore(parseLink(hash).problem, { now: () => time });
  const library = new FakeLibrary();
  store.connect(library.compute);
  await library.answer();
  return {
    store,
    library,
    tick: (ms) => {
      time += ms;
    },
  };
}
