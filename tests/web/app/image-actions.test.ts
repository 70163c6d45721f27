import { signal } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { imageActionsOf } from '../../../web/src/app/page/image-actions';
import type { ComputeClient } from '../../../web/src/compute/client';
import type { ImageResult, Outcome } from '../../../web/src/protocol/messages';
import type { ConvError } from '../../../web/src/protocol/problem';
import { createStore, type Store } from '../../../web/src/state/store';
import { encodePng } from '../../e2e/support/png';
import { layerOf } from '../support/problems';

type Decoding = (outcome: Outcome<ImageResult>) => void;

const NO_STATS = { min: 0, max: 0, max_abs: 0, not_finite: 0 };

/** A gray image of 2 x 3 pixels. */
const PICTURE: Outcome<ImageResult> = {
  status: 'done',
  result: {
    type: 'image',
    tensor: { shape: [1, 2, 3, 1], data: new Float32Array(6), stats: NO_STATS },
  },
};

const FILE = new Blob([Uint8Array.from(encodePng(3, 2, () => [0, 0, 0]))], { type: 'image/png' });

/** In place of the decoder of a browser. */
class Canvas {
  getContext() {
    const nothing = () => undefined;
    return { fillRect: nothing, drawImage: nothing, getImageData: () => new Uint8ClampedArray(24) };
  }
}

let store: Store;
let images: ReturnType<typeof imageActionsOf>;
let decodings: Decoding[];
let problems: (ConvError | null)[];

/** What image actions need of a page. */
function page(): Parameters<typeof imageActionsOf>[0] {
  const refusal = {
    set value(refused: { readonly error: ConvError } | null) {
      problems.push(refused?.error ?? null);
    },
  };
  const ask = () => new Promise((resolve: Decoding) => decodings.push(resolve));
  return {
    store,
    client: { ask } as unknown as ComputeClient,
    address: { missing: { peek: () => [] } } as never,
    images: { channels: signal(1), origins: new WeakMap(), refusal: refusal as never },
  };
}

beforeEach(() => {
  vi.stubGlobal('createImageBitmap', async () => ({ width: 3, height: 2, close: () => undefined }));
  vi.stubGlobal('OffscreenCanvas', Canvas);
  store = createStore();
  decodings = [];
  problems = [];
  images = imageActionsOf(page());
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.doUnmock('../../../web/src/app/page/open-images');
  vi.resetModules();
});

const asked = (count: number) => vi.waitFor(() => expect(decodings).toHaveLength(count));
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('the last action wins, in whatever order actions finish:', () => {
  test('a file without other actions', async () => {
    images.openFile(FILE, 'one.png', 1);
    await asked(1);
    decodings[0]?.(PICTURE);
    await vi.waitFor(() => expect(store.problem.value.x.source).toEqual({ kind: 'file', name: 'one.png' }));
    expect(problems).toEqual([null]);
  });

  test('an edit while a file is loading, with a message', async () => {
    images.openFile(FILE, 'one.png', 1);
    await asked(1);
    store.setDesc({ h: 9 });
    decodings[0]?.(PICTURE);
    await vi.waitFor(() => expect(problems).toHaveLength(2));
    expect(problems[1]?.message).toMatch(/one\.png was not opened, because you changed something/);
    expect(layerOf(store.problem.value).desc.h).toBe(9);
  });

  test('an edit that cancels the loading', async () => {
    images.openFile(FILE, 'one.png', 1);
    await asked(1);
    store.setDesc({ h: 9 });
    decodings[0]?.({ status: 'dropped', why: 'superseded' });
    await vi.waitFor(() => expect(problems[1]?.message).toMatch(/was not opened/));
  });

  test('an example that is opened meanwhile, without a message', async () => {
    images.openFile(FILE, 'one.png', 1);
    await asked(1);
    const later = store.begin();
    decodings[0]?.(PICTURE);
    await settled();
    expect(store.problem.value.x.source.kind).not.toBe('file');
    expect(problems).toEqual([null]);
    expect(later()).toBeNull();
  });

  test('the second of two files', async () => {
    images.openFile(FILE, 'one.png', 1);
    await asked(1);
    images.openFile(FILE, 'two.png', 1);
    await asked(2);
    decodings[1]?.(PICTURE);
    await vi.waitFor(() => expect(store.problem.value.x.source).toMatchObject({ name: 'two.png' }));
    decodings[0]?.(PICTURE);
    await settled();
    expect(store.problem.value.x.source).toMatchObject({ name: 'two.png' });
  });

  test('undo', async () => {
    store.setDesc({ h: 9 });
    images.openFile(FILE, 'one.png', 1);
    await asked(1);
    store.undo();
    decodings[0]?.(PICTURE);
    await vi.waitFor(() => expect(problems).toHaveLength(2));
    expect(layerOf(store.problem.value).desc.h).toBe(5);
  });
});

test('an image reader that fails to load gives a readable message', async () => {
  vi.doMock('../../../web/src/app/page/open-images', () => {
    throw new TypeError('Failed to fetch dynamically imported module: http://127.0.0.1/assets/open-images-1.js');
  });
  // Without the reader that the tests before have loaded.
  vi.resetModules();
  const fresh = await import('../../../web/src/app/page/image-actions');
  fresh.imageActionsOf(page()).openSample('portrait', 1);
  await vi.waitFor(() => expect(problems).toHaveLength(2));
  expect(problems[1]?.message).toBe(
    'The image reader failed to load. Try again, or reload the page: the URL contains your problem.',
  );
});
