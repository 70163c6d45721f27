import type { Question } from '../protocol/questions';

type NumberArray = Float32Array | Int32Array | Float64Array;
const isArray = (value: unknown): value is NumberArray => ArrayBuffer.isView(value);

const KEYS = new WeakMap<Question, string>();

/** Equal for equal questions, independent of the order of their fields. */
export function keyOf(question: Question): string {
  const known = KEYS.get(question) ?? textOf(question);
  KEYS.set(question, known);
  return known;
}

/**
 * Longer tensors are compared by identity; tensors are never changed in place. Lists of cells and small kernels are compared by
 * value, because views create them again for each question.
 */
const MOST_READ = 4096;

const NAMES = new WeakMap<NumberArray, number>();
let named = 0;

function nameOf(array: NumberArray): number {
  const known = NAMES.get(array);
  if (known !== undefined) return known;
  named += 1;
  NAMES.set(array, named);
  return named;
}

/** By bits: NaN equals NaN, and 0 differs from -0. */
const bitsOf = ({ buffer, byteOffset, byteLength }: NumberArray): string =>
  new Uint32Array(buffer, byteOffset, byteLength / 4).join();

/** Unlike JSON it distinguishes NaN, infinities, -0 and null. */
function textOf(value: unknown): string {
  if (isArray(value)) {
    const isLong = value instanceof Float32Array && value.length > MOST_READ;
    return isLong ? `#${nameOf(value)}` : `${value.constructor.name}(${bitsOf(value)})`;
  }
  if (Object.is(value, -0)) return '-0';
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : `${value}`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${name}:${textOf(member)}`).join()}}`;
}

/** Memory of an answer: bytes of its arrays. */
export function bytesOf(value: unknown): number {
  if (isArray(value)) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, member) => sum + bytesOf(member), 0);
}
