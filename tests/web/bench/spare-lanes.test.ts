import { describe, expect, it } from 'vitest';
import { isSubnormal } from '../../../web/bench/src/compare.ts';
import { type Operator, weightsOf } from '../../../web/bench/src/models/tflite-records.ts';
import { ModelSpareLanes } from '../../../web/bench/src/parties/model-spare-lanes.ts';
import {
  findSpareLanes,
  laneCount,
  subnormalLanes,
  type Weights,
  zeroLanes,
} from '../../../web/bench/src/parties/spare-lanes.ts';

/** Small integers and addresses, read as floats. */
const [garbage = 0] = new Float32Array(Int32Array.of(0x000ce158).buffer);
const AT = 12;

/** Distinct weights: 100 filter + 10 tap + channel + 1, and biases -1 - filter. */
function numbered(filters: number, taps: number, channels: number): Weights & { readonly bias: Float32Array } {
  const values = Array.from({ length: filters }, (_, f) =>
    Array.from({ length: taps }, (_, t) => Array.from({ length: channels }, (_, c) => 100 * f + 10 * t + c + 1)),
  );
  const bias = Float32Array.from({ length: filters }, (_, f) => -1 - f);
  return { filters, taps, channels, data: Float32Array.from(values.flat(2)), bias };
}

/** Packed as by XNNPACK, eight filters at a time: a row of biases, then a row per tap and channel. */
function packed({ filters, taps, channels }: Weights): { rows: number[][]; spare: number } {
  const rows: number[][] = [];
  for (let first = 0; first < filters; first += 8) {
    const row = (value: (filter: number) => number) =>
      Array.from({ length: 8 }, (_, lane) => (first + lane < filters ? value(first + lane) : garbage));
    rows.push(row((f) => -1 - f));
    for (let t = 0; t < taps; t += 1)
      for (let c = 0; c < channels; c += 1) rows.push(row((f) => 100 * f + 10 * t + c + 1));
  }
  return { rows, spare: rows.flat().filter((value) => value === garbage).length };
}

/** Memory with the packed weights, the original weights, and subnormal numbers around them. */
function heapOf(weights: Weights): Float32Array {
  const values = packed(weights).rows.flat();
  const heap = new Float32Array(AT + values.length + 20 + weights.data.length + 16).fill(garbage);
  heap.set(values, AT);
  heap.set(weights.data, AT + values.length + 20);
  return heap;
}

describe('spare lanes', () => {
  it.each([
    ['3 filters', numbered(3, 9, 2)],
    ['10 filters: the second block only', numbered(10, 4, 3)],
    ['1 filter', numbered(1, 4, 3)],
  ])('of %s are found with their biases and zeroed, and nothing else is touched', (_, weights) => {
    const heap = heapOf(weights);
    const before = heap.slice();
    const lanes = findSpareLanes(heap, weights);
    const { rows, spare } = packed(weights);
    expect(lanes.complete).toBe(true);
    expect(laneCount(lanes)).toBe(spare);
    expect(subnormalLanes(heap, lanes)).toBe(spare);
    zeroLanes(heap, lanes);
    expect(subnormalLanes(heap, lanes)).toBe(0);
    const expected = before.slice();
    expected.set(
      rows.flat().map((value) => (value === garbage ? 0 : value)),
      AT,
    );
    expect(heap).toEqual(expected);
  });

  it('are searched before every tap that starts with biases, as in a strided transposed convolution', () => {
    const weights = numbered(3, 2, 2);
    const { rows } = packed(weights);
    const [bias = [], ...taps] = rows;
    const heap = Float32Array.from([bias, ...taps.slice(0, 2), bias, ...taps.slice(2)].flat());
    expect(laneCount(findSpareLanes(heap, weights))).toBe(6 * 5);
  });

  it('exclude other models and abandoned copies', () => {
    const weights = numbered(3, 4, 2);
    const one = packed(weights).rows.flat();
    const before = Float32Array.from([...one, ...one.map(() => 0)]);
    const others = findSpareLanes(before, weights).starts;
    const after = Float32Array.from([...one, ...one]);
    expect(findSpareLanes(after, weights, others).starts).toEqual(others.map((start) => start + one.length));
    expect(findSpareLanes(before, weights, others)).toMatchObject({ starts: [], complete: false });
  });

  it('do not exist if the filters fill their lanes', () => {
    const weights = numbered(16, 4, 2);
    expect(findSpareLanes(heapOf(weights), weights)).toMatchObject({ starts: [], complete: true });
  });

  it('are not complete with another packing', () => {
    const weights = numbered(3, 4, 2);
    const other = Float32Array.from(packed(weights).rows.flatMap((row) => row.slice(0, 4)));
    expect(findSpareLanes(other, weights)).toMatchObject({ starts: [], complete: false });
  });

  it('count only subnormal values', () => {
    expect([0, -0, 2 ** -126, -1, Number.NaN].some(isSubnormal)).toBe(false);
    expect([2 ** -127, -(2 ** -149), garbage].every(isSubnormal)).toBe(true);
  });
});

describe('the spare lanes of a model', () => {
  const weights = numbered(3, 4, 2);

  it('are zeroed, and reported if they held subnormal numbers', async () => {
    const heap = new Float32Array(2 * heapOf(weights).length);
    const lanes = new ModelSpareLanes({ liteRtWasm: { HEAPU8: new Uint8Array(heap.buffer) } }, [weights]);
    heap.set(heapOf(weights));
    const { spare } = packed(weights);
    expect(await lanes.zero(async () => {})).toMatch(
      `${spare} of the ${spare} spare lanes of its packed weights held subnormal numbers; zeroed before timing (a call`,
    );
    expect(await lanes.zero(async () => {})).toBeUndefined();
  });

  it('are reported if the layout of the weights is unknown', async () => {
    const empty = new ModelSpareLanes({ liteRtWasm: { HEAPU8: new Uint8Array(400) } }, [weights]);
    expect(await empty.zero(async () => {})).toContain('layout of its packed weights is unknown');
  });
});

describe('the weights of a TFLite model', () => {
  const words = (values: Float32Array) => new Int32Array(values.buffer);
  const data = Float32Array.from({ length: 60 }, (_, i) => i + 1);
  const bias = Float32Array.of(7, 8, 9);
  const record = (shape: readonly number[], values?: Float32Array) => ({
    ...{ shape, type: 0 },
    ...(values && { data: words(values) }),
  });
  const tensors = [record([1, 4, 4, 5]), record([3, 2, 2, 5], data), record([3], bias), record([3, 2, 2, 5])];
  const node = (operator: Operator, inputs: readonly number[]) => ({ operator, inputs, output: 9, fields: [] });

  it('are those of its convolutions, with their biases', () => {
    const operators = [node('CONV_2D', [0, 1, 2]), node('TRANSPOSE_CONV', [2, 1, 0])];
    const weights = { filters: 3, taps: 4, channels: 5, data };
    expect(weightsOf(tensors, operators)).toEqual([{ ...weights, bias }, weights]);
  });

  it('are left out if they are computed or packed in another way', () => {
    const operators = [node('CONV_2D', [0, 3, 2]), node('DEPTHWISE_CONV_2D', [0, 1, 2]), node('PAD', [0, 1])];
    expect(weightsOf(tensors, operators)).toEqual([]);
  });
});
