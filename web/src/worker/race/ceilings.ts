import type { RaceCeilings } from '../../protocol/race';
import { scriptAddress } from '../../trust/script-address';
import { type CeilingKind, loadCeiling } from '../../wasm/ceiling';
import type { Machine } from './library';
import type { Verifier } from './verifier';

/** Samples of a ceiling before each race. */
const SAMPLES = 7;
/** Larger than the caches of most devices. */
const STREAM_FLOATS = 2 ** 22;
const STREAM_SAMPLES = 9;
/** Duration of the measurement with all threads. */
const TOGETHER_MS = 250;

/** Request to a helper worker. It answers the first with 0 when it is prepared, the second with its GFLOP/s; null: it failed. */
export interface HelperRequest {
  readonly type: 'ceiling';
}

type Measure = (milliseconds?: number) => number;

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? null;
  return upper === null || sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/**
 * Measures the peak speed and bandwidth of the device. The returned function adds samples of the peak speed: the clock
 * frequency of the processor changes during a run.
 */
export async function createCeilings({ libraries, facts }: Machine, verifier: Verifier, batch: number) {
  const speeds = new Map<CeilingKind, { readonly measure: Measure; readonly samples: number[] }>();
  for (const kind of ['simd', 'relaxed'] as const)
    if (libraries.has(kind)) speeds.set(kind, { measure: await loadCeiling(kind), samples: [] });
  const bandwidth = bandwidthOf(verifier, batch);
  const threads = libraries.has('threads') ? await together(facts.threads - 1, batch).catch(() => null) : null;
  return (): RaceCeilings => {
    for (const { measure, samples } of speeds.values()) {
      // Warm up: discard the first measurement after other work.
      measure(batch);
      for (let i = 0; i < SAMPLES; i += 1) samples.push(measure(batch));
    }
    const of = (kind: CeilingKind) => median(speeds.get(kind)?.samples ?? []);
    return { simd: of('simd'), relaxed: of('relaxed'), threads, bandwidth };
  };
}

function bandwidthOf(verifier: Verifier, batch: number): number | null {
  const { run, bytes } = verifier.stream(STREAM_FLOATS);
  const timed = () => {
    const start = performance.now();
    let runs = 0;
    do {
      run();
      runs += 1;
    } while (performance.now() - start < batch);
    return (runs * bytes) / (performance.now() - start) / 1e6;
  };
  timed();
  const reached = median(Array.from({ length: STREAM_SAMPLES }, timed));
  verifier.freeStream();
  return reached;
}

/** GFLOP/s of this thread and `helpers` other threads together, with relaxed SIMD. */
async function together(helpers: number, batch: number): Promise<number> {
  const others = Array.from(
    { length: helpers },
    () => new Worker(scriptAddress(self.location.href), { type: 'module' }),
  );
  const ask = () =>
    Promise.all(
      others.map(
        (worker) =>
          new Promise<number>((resolve, reject) => {
            const fail = () => reject(new Error('a helper worker failed'));
            worker.onmessage = ({ data }: MessageEvent<number | null>) => (data === null ? fail() : resolve(data));
            worker.onmessageerror = fail;
            worker.onerror = fail;
            worker.postMessage({ type: 'ceiling' } satisfies HelperRequest);
          }),
      ),
    );
  try {
    await ask();
    const measure = await loadCeiling('relaxed');
    const reached = ask();
    const own = measureFor(measure, batch);
    return (await reached).reduce((sum, each) => sum + each, own);
  } finally {
    for (const worker of others) worker.terminate();
  }
}

function measureFor(measure: Measure, batch: number): number {
  const samples: number[] = [];
  const end = performance.now() + TOGETHER_MS;
  do samples.push(measure(batch));
  while (performance.now() < end);
  return median(samples) ?? 0;
}

let warm: Measure | null = null;

/** Runs in a helper worker. */
export async function help(batch: number): Promise<number> {
  if (warm) return measureFor(warm, batch);
  warm = await loadCeiling('relaxed');
  warm(batch);
  return 0;
}
