import { isSubnormal } from '../compare';

/**
 * XNNPACK packs the weights of a convolution in blocks of eight filters. If the number of filters is not a multiple of
 * eight, the spare lanes of the last block are not initialized. XNNPACK multiplies with them and drops the results.
 * They mostly contain small integers and addresses, which are subnormal as floats. An AMD Zen 3 computes with those at
 * full speed; an Intel processor needs over a hundred cycles for each such instruction. For S1's dx (3 filters in 8
 * lanes) these are 85 % of the multiply-adds, 24.5 million a call: at 150 to 200 cycles 1.2 to 1.6 s, as measured on an
 * Intel host, instead of 8 ms. The content of the memory is random, so the lanes are zeroed before timing.
 */
const LANES = 8;
/** Packed weights start at a multiple of 16 bytes. */
const ALIGNMENT_FLOATS = 4;

/** Constant weights of a convolution, filter by filter: [filters, taps, channels]. */
export interface Weights {
  readonly filters: number;
  readonly taps: number;
  readonly channels: number;
  readonly data: Float32Array;
  /** Zeros if absent. */
  readonly bias?: Float32Array;
}

export interface SpareLanes {
  /** Heap index of the first spare lane of each row. The spare lanes are the last ones of the row. */
  readonly starts: readonly number[];
  readonly lanesPerRow: number;
  /** Whether the rows of all taps were found. If not, the weights are packed in an unknown layout. */
  readonly complete: boolean;
}

/**
 * Finds the spare lanes of all packed copies of `weights` in `heap`. Excludes the lanes that start at `others`, which
 * were found before the model was compiled: they belong to another model or to freed memory, which can contain other
 * data now.
 */
export function findSpareLanes(heap: Float32Array, weights: Weights, others: readonly number[] = []): SpareLanes {
  const { filters, taps, channels, data, bias } = weights;
  const used = filters % LANES;
  // XNNPACK packs one filter of one channel as a depthwise convolution in another layout. One value is not enough.
  if (used === 0 || used * channels < 2) return { starts: [], lanesPerRow: 0, complete: true };
  const first = filters - used;
  const weight = (filter: number, tap: number, channel: number) => data[(filter * taps + tap) * channels + channel];
  const tapOf = new Map(Array.from({ length: taps }, (_, tap) => [weight(first, tap, 0), tap]));
  /** A tap is one row of lanes per channel. */
  const isTapAt = (at: number, tap: number) => {
    for (let channel = 0; channel < channels; channel += 1)
      for (let lane = 0; lane < used; lane += 1)
        if (heap[at + channel * LANES + lane] !== weight(first + lane, tap, channel)) return false;
    return true;
  };
  /** The row before the first tap has the biases. */
  const isBiasAt = (at: number) =>
    at >= 0 && Array.from({ length: used }, (_, lane) => bias?.[first + lane] ?? 0).every((b, i) => heap[at + i] === b);
  const starts: number[] = [];
  const excluded = new Set(others);
  const found = new Set<number>();
  for (let at = 0; at < heap.length; at += ALIGNMENT_FLOATS) {
    const tap = tapOf.get(heap[at]);
    if (tap === undefined || excluded.has(at + used) || !isTapAt(at, tap)) continue;
    found.add(tap);
    if (isBiasAt(at - LANES)) starts.push(at - LANES + used);
    for (let channel = 0; channel < channels; channel += 1) starts.push(at + channel * LANES + used);
  }
  return { starts, lanesPerRow: LANES - used, complete: found.size === taps };
}

export const laneCount = ({ starts, lanesPerRow }: SpareLanes): number => starts.length * lanesPerRow;

export function subnormalLanes(heap: Float32Array, { starts, lanesPerRow }: SpareLanes): number {
  const inRow = (start: number) => heap.subarray(start, start + lanesPerRow).filter(isSubnormal).length;
  return starts.reduce((sum, start) => sum + inRow(start), 0);
}

/** Does not change the results of the model. */
export function zeroLanes(heap: Float32Array, { starts, lanesPerRow }: SpareLanes): void {
  for (const start of starts) heap.fill(0, start, start + lanesPerRow);
}
