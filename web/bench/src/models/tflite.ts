import { Builder } from 'flatbuffers';
import type { Weights } from '../parties/spare-lanes';
import { sizeOf } from '../problem';
import {
  type Field,
  OPERATORS,
  type Operator,
  type OperatorRecord,
  type TensorRecord,
  weightsOf,
} from './tflite-records';

/** Writes small TFLite models. Slot and code numbers are those of schema.fbs, version 3. */

const FLOAT32 = 0;
const INT32 = 2;
const SCHEMA_VERSION = 3;
const FILE_IDENTIFIER = 'TFL3';
const ALIGNMENT = 16;

export interface Window {
  readonly padding: 'same' | 'valid';
  readonly stride_h: number;
  readonly stride_w: number;
  readonly dilation_h: number;
  readonly dilation_w: number;
}

/** The common fields of the options tables of convolutions. `dilations`: the slot of the first dilation, if there are some. */
export function windowFields({ padding, ...steps }: Window, dilations?: number): Field[] {
  const fields: Field[] = [
    [0, 'int8', padding === 'same' ? 0 : 1],
    [1, 'int32', steps.stride_w],
    [2, 'int32', steps.stride_h],
  ];
  if (dilations) fields.push([dilations, 'int32', steps.dilation_w], [dilations + 1, 'int32', steps.dilation_h]);
  return fields;
}

export interface TfTensor {
  readonly index: number;
  readonly shape: readonly number[];
}

/** Builds a graph. Each method that adds a node returns its tensor. */
export class TfliteModel {
  readonly #tensors: TensorRecord[] = [];
  readonly #operators: OperatorRecord[] = [];
  readonly #inputs: number[] = [];

  input(shape: readonly number[]): TfTensor {
    const tensor = this.#tensor({ shape, type: FLOAT32 });
    this.#inputs.push(tensor.index);
    return tensor;
  }

  constant(shape: readonly number[], data: Float32Array): TfTensor {
    return this.#tensor({ shape, type: FLOAT32, data: new Int32Array(data.buffer, data.byteOffset, data.length) });
  }

  integers(values: readonly number[], shape: readonly number[] = [values.length]): TfTensor {
    return this.#tensor({ shape, type: INT32, data: Int32Array.from(values) });
  }

  node(operator: Operator, inputs: readonly TfTensor[], shape: readonly number[], fields: readonly Field[] = []) {
    const output = this.#tensor({ shape, type: FLOAT32 });
    this.#operators.push({ operator, inputs: inputs.map(({ index }) => index), output: output.index, fields });
    return output;
  }

  transpose(value: TfTensor, order: readonly number[]): TfTensor {
    return this.node(
      'TRANSPOSE',
      [value, this.integers(order)],
      order.map((axis) => value.shape[axis] ?? 1),
    );
  }

  /** Adds zeros before and after each of four axes. Returns `value` if there are none to add. */
  pad(value: TfTensor, sides: readonly (readonly [number, number])[]): TfTensor {
    if (sides.every(([before, after]) => before === 0 && after === 0)) return value;
    const shape = value.shape.map((size, axis) => size + (sides[axis]?.[0] ?? 0) + (sides[axis]?.[1] ?? 0));
    return this.node('PAD', [value, this.integers(sides.flat(), [sides.length, 2])], shape);
  }

  /** The part of `shape` that starts at `begin`. Returns `value` if it has this shape already. */
  slice(value: TfTensor, begin: readonly number[], shape: readonly number[]): TfTensor {
    if (shape.every((size, axis) => size === value.shape[axis])) return value;
    return this.node('SLICE', [value, this.integers(begin), this.integers(shape)], shape);
  }

  weights(): Weights[] {
    return weightsOf(this.#tensors, this.#operators);
  }

  build(output: TfTensor): Uint8Array {
    const builder = new Builder(4096);
    const used = [...new Set(this.#operators.map(({ operator }) => operator))];
    const codes = used.map((operator) => operatorCode(builder, OPERATORS[operator].code));
    const withData = this.#tensors.flatMap(({ data }) => (data ? [data] : []));
    // Buffer 0 is empty. Tensors without data refer to it.
    const buffers = [table(builder, 1, () => {}), ...withData.map((data) => bufferTable(builder, data))];
    let nextBuffer = 0;
    const tensors = this.#tensors.map((record) => {
      if (record.data) nextBuffer += 1;
      return tensorTable(builder, record, record.data ? nextBuffer : 0);
    });
    const operators = this.#operators.map((record) => operatorTable(builder, record, used.indexOf(record.operator)));
    const tensorVector = offsets(builder, tensors);
    const inputs = integers(builder, this.#inputs);
    const outputs = integers(builder, [output.index]);
    const operatorVector = offsets(builder, operators);
    const subgraph = table(builder, 5, () => {
      builder.addFieldOffset(0, tensorVector, 0);
      builder.addFieldOffset(1, inputs, 0);
      builder.addFieldOffset(2, outputs, 0);
      builder.addFieldOffset(3, operatorVector, 0);
    });
    const [codeVector, subgraphs, bufferVector] = [codes, [subgraph], buffers].map((list) => offsets(builder, list));
    const model = table(builder, 5, () => {
      builder.addFieldInt32(0, SCHEMA_VERSION, 0);
      builder.addFieldOffset(1, codeVector ?? 0, 0);
      builder.addFieldOffset(2, subgraphs ?? 0, 0);
      builder.addFieldOffset(4, bufferVector ?? 0, 0);
    });
    builder.finish(model, FILE_IDENTIFIER);
    return builder.asUint8Array();
  }

  #tensor(record: TensorRecord): TfTensor {
    const index = this.#tensors.push(record) - 1;
    if (record.data && record.data.length !== sizeOf(record.shape))
      throw new Error(`tensor ${index}: ${record.data.length} values for shape ${record.shape.join(' x ')}`);
    return { index, shape: record.shape };
  }
}

function table(builder: Builder, slots: number, fill: () => void): number {
  builder.startObject(slots);
  fill();
  return builder.endObject();
}

function offsets(builder: Builder, items: readonly number[]): number {
  builder.startVector(4, items.length, 4);
  for (const item of items.toReversed()) builder.addOffset(item);
  return builder.endVector();
}

function integers(builder: Builder, items: readonly number[]): number {
  builder.startVector(4, items.length, 4);
  for (const item of items.toReversed()) builder.addInt32(item);
  return builder.endVector();
}

function bufferTable(builder: Builder, words: Int32Array): number {
  builder.startVector(1, words.byteLength, ALIGNMENT);
  for (let i = words.length - 1; i >= 0; i -= 1) builder.addInt32(words[i] ?? 0);
  const vector = builder.endVector();
  return table(builder, 1, () => builder.addFieldOffset(0, vector, 0));
}

function operatorCode(builder: Builder, code: number): number {
  // Codes above 127 do not fit the first field, which current readers use only for older files.
  return table(builder, 4, () => {
    builder.addFieldInt8(0, Math.min(code, 127), 0);
    builder.addFieldInt32(2, 1, 0);
    builder.addFieldInt32(3, code, 0);
  });
}

function tensorTable(builder: Builder, { shape, type }: TensorRecord, buffer: number): number {
  const shapeVector = integers(builder, shape);
  return table(builder, 5, () => {
    builder.addFieldOffset(0, shapeVector, 0);
    builder.addFieldInt8(1, type, 0);
    builder.addFieldInt32(2, buffer, 0);
  });
}

function operatorTable(builder: Builder, { operator, inputs, output, fields }: OperatorRecord, code: number): number {
  const options = table(builder, 8, () => {
    for (const [slot, type, value] of fields) {
      if (type === 'int8') builder.addFieldInt8(slot, value, 0);
      else builder.addFieldInt32(slot, value, 0);
    }
  });
  const [inputVector, outputVector] = [integers(builder, inputs), integers(builder, [output])];
  return table(builder, 6, () => {
    builder.addFieldInt32(0, code, 0);
    builder.addFieldOffset(1, inputVector, 0);
    builder.addFieldOffset(2, outputVector, 0);
    builder.addFieldInt8(3, OPERATORS[operator].options, 0);
    builder.addFieldOffset(4, options, 0);
  });
}
