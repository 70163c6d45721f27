import type { RaceCeilings } from '../../protocol/race';
import { scriptAddress } from '../../trust/script-address';
import { type CeilingKind, loadCeiling } from '../../wasm/ceiling';
import type { Machine } from './library';
import type { Verifier } from './verifier';

/** Samples of a ceiling before each race: the clock frequency of the processor changes during a run. */
const SAMPLES = 7;
/** Larger than the caches of most devices. */
const STREAM_FLOATS = 2 ** 22;
const STREAM_SAMPLES = 9;
/** Duration of the measurement with all threads. */
const TOGETHER_MS = 250;

/** Request to a helper worker, and its replies: ready, then the measured speed. */
export type HelperRequest = { readonly type: 'ceiling'; readonly kind: CeilingKind };
export type HelperReply = { readonly type: 'ready' } | { readonly type: 'reached'; readonly gigaflops: number };

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** The peak speed and bandwidth of the device, measured repeatedly during a race. */
export class Ceilings {
  readonly #kinds: readonly CeilingKind[];
  readonly #measures = new Map<CeilingKind, (milliseconds?: number) => number>();
  readonly #samples: Record<CeilingKind, number[]> = { simd: [], relaxed: [] };
  readonly #batch: number;
  readonly #helpers: number;
  #threads: number | null = null;
  #bandwidth: number | null = null;

  constructor({ libraries, facts }: Machine, batch: number) {
    this.#kinds = (['simd', 'relaxed'] as const).filter((kind) => libraries.has(kind));
    this.#helpers = libraries.has('threads') ? facts.threads - 1 : 0;
    this.#batch = batch;
  }

  async begin(verifier: Verifier): Promise<void> {
    for (const kind of this.#kinds) this.#measures.set(kind, await loadCeiling(kind));
    this.#bandwidth = bandwidthOf(verifier, this.#batch);
    this.sample();
    if (this.#helpers > 0) this.#threads = await together(this.#helpers, this.#batch).catch(() => null);
  }

  sample(): void {
    for (const [kind, measure] of this.#measures) {
      // Warm up: discard the first measurement after other work.
      measure(this.#batch);
      for (let i = 0; i < SAMPLES; i += 1) this.#samples[kind].push(measure(this.#batch));
    }
  }

  get reached(): RaceCeilings {
    const of = (kind: CeilingKind) => (this.#samples[kind].length > 0 ? median(this.#samples[kind]) : null);
    return { simd: of('simd'), relaxed: of('relaxed'), threads: this.#threads, bandwidth: this.#bandwidth };
  }
}

function bandwidthOf(verifier: Verifier, batch: number): number {
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
  const replies = (type: HelperReply['type']) =>
    Promise.all(
      others.map(
        (worker) =>
          new Promise<HelperReply>((resolve, reject) => {
            worker.onmessage = ({ data }: MessageEvent<HelperReply>) => data.type === type && resolve(data);
            worker.onerror = () => reject(new Error('a helper worker did not start'));
          }),
      ),
    );
  try {
    const request: HelperRequest = { type: 'ceiling', kind: 'relaxed' };
    const ready = replies('ready');
    for (const worker of others) worker.postMessage(request);
    await ready;
    const measure = await loadCeiling('relaxed');
    const reached = replies('reached');
    for (const worker of others) worker.postMessage(request);
    const own = measureFor(measure, batch);
    return (await reached).reduce((sum, reply) => sum + (reply.type === 'reached' ? reply.gigaflops : 0), own);
  } finally {
    for (const worker of others) worker.terminate();
  }
}

function measureFor(measure: (milliseconds?: number) => number, batch: number): number {
  const samples: number[] = [];
  const end = performance.now() + TOGETHER_MS;
  do samples.push(measure(batch));
  while (performance.now() < end);
  return median(samples);
}

let warm: ((milliseconds?: number) => number) | null = null;

/** Runs in a helper worker: the first request prepares it, the second measures. */
export async function help({ kind }: HelperRequest, batch: number): Promise<HelperReply> {
  if (warm) return { type: 'reached', gigaflops: measureFor(warm, batch) };
  warm = await loadCeiling(kind);
  warm(batch);
  return { type: 'ready' };
}
