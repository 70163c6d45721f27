import { findSpareLanes, laneCount, subnormalLanes, type Weights, zeroLanes } from './spare-lanes';

interface LiteRtRuntime {
  readonly liteRtWasm: { readonly HEAPU8: Uint8Array };
}

/** The spare lanes of one model in LiteRT's memory. Construct it before the model is compiled; zero them after. */
export class ModelSpareLanes {
  readonly #runtime: LiteRtRuntime;
  readonly #weights: readonly Weights[];
  /** Starts of the lanes of other models. */
  readonly #others: readonly number[];

  constructor(runtime: LiteRtRuntime, weights: readonly Weights[]) {
    this.#runtime = runtime;
    this.#weights = weights;
    this.#others = weights.flatMap((each) => findSpareLanes(this.#heap(), each).starts);
  }

  /** Zeroes the lanes. Returns a note if they held subnormal numbers, with the time of a call before and after. */
  async zero(kernel: () => Promise<void>): Promise<string | undefined> {
    // The first call may pack weights.
    await kernel();
    const lanes = this.#weights.map((weights) => findSpareLanes(this.#heap(), weights, this.#others));
    const total = lanes.reduce((sum, each) => sum + laneCount(each), 0);
    const subnormal = lanes.reduce((sum, each) => sum + subnormalLanes(this.#heap(), each), 0);
    const before = subnormal > 0 ? await shortestCall(kernel) : 0;
    for (const each of lanes) zeroLanes(this.#heap(), each);
    if (!lanes.every(({ complete }) => complete))
      return 'the layout of its packed weights is unknown: spare lanes may hold subnormal numbers';
    if (subnormal === 0) return undefined;
    const after = await shortestCall(kernel);
    return (
      `${subnormal} of the ${total} spare lanes of its packed weights held subnormal numbers; zeroed before timing ` +
      `(a call with them: ${before.toFixed(2)} ms, without: ${after.toFixed(2)} ms)`
    );
  }

  /** A new view for each use, because the memory may have grown. */
  #heap(): Float32Array {
    return new Float32Array(this.#runtime.liteRtWasm.HEAPU8.buffer);
  }
}

/** Milliseconds of the shortest of a few calls. */
async function shortestCall(kernel: () => Promise<void>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 5; i += 1) {
    const start = performance.now();
    await kernel();
    shortest = Math.min(shortest, performance.now() - start);
  }
  return shortest;
}
