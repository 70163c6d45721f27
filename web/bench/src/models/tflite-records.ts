import type { Weights } from '../parties/spare-lanes';

/** Records of a TFLite model: operators and tensors before serialization. */

export const OPERATORS = {
  CONV_2D: { code: 3, options: 1 },
  DEPTHWISE_CONV_2D: { code: 4, options: 2 },
  TRANSPOSE_CONV: { code: 67, options: 49 },
  RESHAPE: { code: 22, options: 17 },
  PAD: { code: 34, options: 22 },
  TRANSPOSE: { code: 39, options: 26 },
  SLICE: { code: 65, options: 48 },
  SUM: { code: 74, options: 27 },
  BATCH_MATMUL: { code: 126, options: 101 },
} as const;

export type Operator = keyof typeof OPERATORS;

/** A field of an options table. */
export type Field = readonly [slot: number, type: 'int8' | 'int32', value: number];

export interface TensorRecord {
  readonly shape: readonly number[];
  readonly type: number;
  /** Bits of the values as 32-bit words. */
  readonly data?: Int32Array;
}

export interface OperatorRecord {
  readonly operator: Operator;
  readonly inputs: readonly number[];
  readonly output: number;
  readonly fields: readonly Field[];
}

/** Constant weights and biases of all convolutions but depthwise ones, which XNNPACK packs in another layout. */
export function weightsOf(tensors: readonly TensorRecord[], operators: readonly OperatorRecord[]): Weights[] {
  return operators
    .filter(({ operator }) => operator === 'CONV_2D' || operator === 'TRANSPOSE_CONV')
    .flatMap(({ operator, inputs }) => {
      const [filter, third] = inputs.slice(1).map((index) => tensors[index]);
      const bias = operator === 'CONV_2D' ? third?.data : undefined;
      const [filters = 0, kh = 0, kw = 0, channels = 0] = filter?.shape ?? [];
      if (!filter?.data) return [];
      return { filters, taps: kh * kw, channels, data: floatsOf(filter.data), ...(bias && { bias: floatsOf(bias) }) };
    });
}

const floatsOf = (words: Int32Array) => new Float32Array(words.buffer, words.byteOffset, words.length);
