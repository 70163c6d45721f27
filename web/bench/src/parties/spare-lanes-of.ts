import { findSpareLanes, laneCount, subnormalLanes, type Weights, zeroLanes } from './spare-lanes';

/** What is used of LiteRT's module. */
interface Runtime {
  readonly liteRtWasm: { readonly HEAPU8: Uint8Array };
}

/** The spare lanes of one model in LiteRT's memory: made before it is compiled, mended after. */
export class SpareLanesOf {
  readonly #runtime: Runtime;
  readonly #weights: readonly Weights[];
  /** Where other models have such lanes. */
  readonly #others: readonly number[];

  constructor(runtime: Runtime, weights: readonly Weights[]) {
    this.#runtime = runtime;
    this.#weights = weights;
    this.#others = weights.flatMap((each) => findSpareLanes(this.#heap(), each).starts);
  }

  /** Zeroes the lanes; says so where they held subnormal numbers, and what these cost. */
  async mend(kernel: () => Promise<void>): Promise<string | undefined> {
    // Whatever the first call packs is packed then.
    await kernel();
    const lanes = this.#weights.map((weights) => findSpareLanes(this.#heap(), weights, this.#others));
    const total = lanes.reduce((sum, each) => sum + laneCount(each), 0);
    const subnormal = lanes.reduce((sum, each) => sum + subnormalLanes(this.#heap(), each), 0);
    const before = subnormal > 0 ? await shortestCall(kernel) : 0;
    for (const each of lanes) zeroLanes(this.#heap(), each);
    if (!lanes.every(({ complete }) => complete))
      return 'its packed weights are not laid out as expected: spare lanes may hold subnormal numbers';
    if (subnormal === 0) return undefined;
    const after = await shortestCall(kernel);
    return (
      `${subnormal} of the ${total} spare lanes of its packed weights held subnormal numbers; zeroed before timing ` +
      `(a call with them: ${before.toFixed(2)} ms, without: ${after.toFixed(2)} ms)`
    );
  }

  /** A new view each time: the memory may have grown. */
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
