import { isSubnormal } from '../compare';

/**
 * XNNPACK packs a convolution's weights eight filters wide. Where the filters are no multiple of eight it leaves the lanes
 * that are left over as it found the memory, multiplies with them all the same and drops the results. What it finds there are
 * mostly small integers and addresses, which as floats are subnormal. An AMD Zen 3 does not notice; an Intel processor needs
 * well over a hundred cycles for an instruction that meets one. For S1's dx (3 filters in 8 lanes) 85 % of the multiply-adds
 * do, 24.5 million a call: at 150 to 200 cycles that is the 1.2 to 1.6 s, in place of 8 ms, which an Intel host has shown.
 * Which memory a model gets is chance, so no ratio may rest on it: the lanes are zeroed.
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
  /** None: zeros. */
  readonly bias?: Float32Array;
}

export interface SpareLanes {
  /** Of the first lane of each run; the run ends with the eight lanes of its row. */
  readonly starts: readonly number[];
  readonly lanesPerRow: number;
  /** Whether the rows of every tap were found: another layout than the one that is known here cannot be mended. */
  readonly complete: boolean;
}

/**
 * The lanes that no filter has in the packed copies of `weights`, wherever in `heap` these are. Not those of `others`, found
 * before the model was compiled: they belong to another model, or to nobody any more, who may write his own things there.
 */
export function findSpareLanes(heap: Float32Array, weights: Weights, others: readonly number[] = []): SpareLanes {
  const { filters, taps, channels, data, bias } = weights;
  const used = filters % LANES;
  // One filter of one channel is a depthwise convolution to XNNPACK, packed otherwise; one value proves nothing anyway.
  if (used === 0 || used * channels < 2) return { starts: [], lanesPerRow: 0, complete: true };
  const first = filters - used;
  const weight = (filter: number, tap: number, channel: number) => data[(filter * taps + tap) * channels + channel];
  const tapOf = new Map(Array.from({ length: taps }, (_, tap) => [weight(first, tap, 0), tap]));
  /** A tap is a row of lanes for each channel, one after the other. */
  const isTapAt = (at: number, tap: number) => {
    for (let channel = 0; channel < channels; channel += 1)
      for (let lane = 0; lane < used; lane += 1)
        if (heap[at + channel * LANES + lane] !== weight(first + lane, tap, channel)) return false;
    return true;
  };
  /** Before the first tap there is a row of biases. */
  const isBiasAt = (at: number) =>
    at >= 0 && Array.from({ length: used }, (_, lane) => bias?.[first + lane] ?? 0).every((b, i) => heap[at + i] === b);
  const starts: number[] = [];
  const known = new Set(others);
  const found = new Set<number>();
  for (let at = 0; at < heap.length; at += ALIGNMENT_FLOATS) {
    const tap = tapOf.get(heap[at]);
    if (tap === undefined || known.has(at + used) || !isTapAt(at, tap)) continue;
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

/** Nobody reads what is computed in these lanes: only the time changes. */
export function zeroLanes(heap: Float32Array, { starts, lanesPerRow }: SpareLanes): void {
  for (const start of starts) heap.fill(0, start, start + lanesPerRow);
}
