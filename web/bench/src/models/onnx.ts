import { type Bytes, bytesField, concatenate, intField, messageField, textField } from './protobuf';

/** Writes small ONNX models. Field and type numbers are those of onnx.proto. */

const FLOAT = 1;
const INT64 = 7;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_INTS = 7;
/** The newest versions that the training build of 2024 supports. */
const IR_VERSION = 9;
const OPSET = 17;

export type Attributes = Readonly<Record<string, number | readonly number[]>>;

function attribute(name: string, value: number | readonly number[]): Bytes {
  const content =
    typeof value === 'number'
      ? [...intField(3, value), ...intField(20, ATTRIBUTE_INT)]
      : [...value.flatMap((item) => [...intField(8, item)]), ...intField(20, ATTRIBUTE_INTS)];
  return messageField(5, [...textField(1, name), ...content]);
}

function tensor(name: string, type: number, shape: readonly number[], data: Uint8Array): Bytes {
  return [
    ...shape.flatMap((size) => [...intField(1, size)]),
    ...intField(2, type),
    ...textField(8, name),
    ...bytesField(9, data),
  ];
}

/** The name of a value in the graph. */
export type Value = string;

/** Builds a graph. Each method that adds a node returns its value. */
export class OnnxModel {
  readonly #nodes: Uint8Array[] = [];
  readonly #initializers: Uint8Array[] = [];
  readonly #inputs: Uint8Array[] = [];
  #names = 0;

  input(name: string, shape: readonly number[]): Value {
    this.#inputs.push(...messageField(11, this.#info(name, shape)));
    return name;
  }

  constant(shape: readonly number[], data: Float32Array): Value {
    const name = this.#newName();
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    this.#initializers.push(...messageField(5, tensor(name, FLOAT, shape, bytes)));
    return name;
  }

  integers(values: readonly number[]): Value {
    const name = this.#newName();
    const bytes = new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
    this.#initializers.push(...messageField(5, tensor(name, INT64, [values.length], bytes)));
    return name;
  }

  /** `wanted` tells for each result of the operation whether it is an output. Unused results get an empty name. */
  node(op: string, inputs: readonly Value[], attributes: Attributes = {}, domain = '', wanted = [true]): Value {
    const result = this.#newName();
    const outputs = wanted.map((isWanted) => (isWanted ? result : ''));
    this.#nodes.push(
      ...messageField(1, [
        ...inputs.flatMap((input) => [...textField(1, input)]),
        ...outputs.flatMap((output) => [...textField(2, output)]),
        ...textField(4, op),
        ...Object.entries(attributes).flatMap(([name, value]) => [...attribute(name, value)]),
        ...(domain ? textField(7, domain) : []),
      ]),
    );
    return result;
  }

  /** The element of `value` at `index`, as a tensor with axes of size 1. */
  element(value: Value, index: readonly number[]): Value {
    const [starts, ends] = [this.integers(index), this.integers(index.map((at) => at + 1))];
    return this.node('Slice', [value, starts, ends, this.integers(index.map((_, axis) => axis))]);
  }

  build(output: Value, outputShape: readonly number[]): Uint8Array<ArrayBuffer> {
    const graph = [
      ...this.#nodes,
      ...textField(2, 'conv2d'),
      ...this.#initializers,
      ...this.#inputs,
      ...messageField(12, this.#info(output, outputShape)),
    ];
    const opset = (domain: string, version: number) =>
      messageField(8, [...textField(1, domain), ...intField(2, version)]);
    return concatenate([
      ...intField(1, IR_VERSION),
      ...messageField(7, graph),
      ...opset('', OPSET),
      ...opset('com.microsoft', 1),
    ]);
  }

  #newName(): Value {
    this.#names += 1;
    return `v${this.#names}`;
  }

  #info(name: string, shape: readonly number[]): Bytes {
    const dimensions = shape.flatMap((size) => [...messageField(1, intField(1, size))]);
    const type = messageField(1, [...intField(1, FLOAT), ...messageField(2, dimensions)]);
    return [...textField(1, name), ...messageField(2, type)];
  }
}
