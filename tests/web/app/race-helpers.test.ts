import { afterEach, expect, test, vi } from 'vitest';
import { loadCeiling } from '../../../web/src/wasm/ceiling';

/** Helper workers that measure the peak speed of all threads. */

vi.mock('../../../web/src/wasm/ceiling', () => ({
  loadCeiling: vi.fn(async () => () => 1),
}));

afterEach(() => vi.unstubAllGlobals());

test('a helper that cannot measure says so', async () => {
  vi.mocked(loadCeiling).mockRejectedValueOnce(new Error('WebAssembly was refused'));
  const postMessage = vi.fn();
  const scope: {
    readonly postMessage: unknown;
    readonly location: object;
    onmessage?: (event: unknown) => Promise<void>;
  } = { postMessage, location: { href: 'https://example.org/race-worker.js' } };
  vi.stubGlobal('self', scope);
  vi.stubGlobal('crossOriginIsolated', false);
  await import('../../../web/src/worker/race-worker');
  const rejected = scope.onmessage?.({ data: { type: 'ceiling' } });
  await expect(rejected).resolves.toBeUndefined();
  expect(postMessage).toHaveBeenCalledExactlyOnceWith(null);
});

test.each(['null', 'messageerror', 'error'])('the race goes on without the speed of all threads: %s', async (what) => {
  const ended: unknown[] = [];
  class Helper {
    onmessage: ((event: unknown) => void) | null = null;
    onmessageerror: (() => void) | null = null;
    onerror: (() => void) | null = null;
    postMessage() {
      queueMicrotask(() => {
        if (what === 'null') this.onmessage?.({ data: null });
        else if (what === 'error') this.onerror?.();
        else this.onmessageerror?.();
      });
    }
    terminate() {
      ended.push(this);
    }
  }
  vi.stubGlobal('self', { location: { href: 'https://example.org/race-worker.js' } });
  vi.stubGlobal('Worker', Helper);
  const { createCeilings } = await import('../../../web/src/worker/race/ceilings');
  const machine = { libraries: new Map([['threads', {}]]), facts: { threads: 3 } };
  const verifier = { stream: () => ({ run: () => undefined, bytes: 1 }), freeStream: () => undefined };
  const sample = await createCeilings(machine as never, verifier as never, 0);
  expect(sample().threads).toBeNull();
  expect(ended).toHaveLength(2);
});
