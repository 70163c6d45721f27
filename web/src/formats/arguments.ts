import type { Padding } from '../protocol/problem';
import { type Arguments, countOf, type FileContents, type Pair, type TensorHeader } from './format';

/** Reads the arguments of a convolution from arrays and metadata. */

const least = (numbers: readonly number[], lowest: number): boolean =>
  numbers.length > 0 && numbers.every((value) => Number.isSafeInteger(value) && value >= lowest);

/** One number for both axes, or one for each. */
function pairOf(numbers: readonly number[]): Pair | null {
  const [rows = 0, cols = rows] = numbers;
  return least(numbers, 1) && numbers.length <= 2 ? [rows, cols] : null;
}

/** One number, [rows, columns], or [top, bottom, left, right]. */
function sidesOf(numbers: readonly number[]): Padding | null {
  if (!least(numbers, 0) || numbers.length === 3 || numbers.length > 4) return null;
  const [a = 0, b = a, c = b, d = c] = numbers;
  return numbers.length === 4 ? { top: a, bottom: b, left: c, right: d } : { top: a, bottom: a, left: b, right: b };
}

const READERS: Readonly<Record<string, (numbers: readonly number[]) => Arguments | null>> = {
  stride: (numbers) => entry('stride', pairOf(numbers)),
  dilation: (numbers) => entry('dilation', pairOf(numbers)),
  padding: (numbers) => entry('padding', sidesOf(numbers)),
  groups: (numbers) => entry('groups', least(numbers, 1) && numbers.length === 1 ? (numbers[0] ?? 1) : null),
  nchw: ([value]) => entry('layout', value === 1 ? 'nchw' : value === 0 ? 'nhwc' : null),
};

const entry = (name: keyof Arguments, value: unknown): Arguments | null => (value === null ? null : { [name]: value });

const notUsed = (name: string, text: string): string => `${name} is ${text}, which is not valid. It is not used.`;

/** Moves arrays such as `stride` and `padding` from the tensors to the arguments, unless nothing else is left. */
export async function withArguments(contents: FileContents): Promise<FileContents> {
  const isArgument = ({ name, shape }: TensorHeader) => Object.hasOwn(READERS, name) && countOf(shape) <= 4;
  const tensors = contents.tensors.filter((one) => !isArgument(one));
  if (tensors.length === 0 || tensors.length === contents.tensors.length) return contents;
  let found = contents.given;
  const notes = [...contents.notes];
  for (const { name, read } of contents.tensors.filter(isArgument)) {
    const tensor = await read();
    const numbers = 'refusal' in tensor ? [] : [...tensor.values];
    const argument = READERS[name]?.(numbers);
    if (argument) found = { ...found, ...argument };
    else notes.push(notUsed(name, `[${numbers.join(', ')}]`));
  }
  return { ...contents, tensors, notes, given: found };
}

/** The arguments in the metadata of a .safetensors file: texts such as stride "2,2" and layout "nchw". */
export function argumentsIn(metadata: ReadonlyMap<string, string>) {
  let given: Arguments = {};
  const notes: string[] = [];
  for (const [name, text] of metadata) {
    const isLayout = name === 'layout';
    if (!isLayout && !Object.hasOwn(READERS, name)) continue;
    const numbers = text.split(/[^-+.\w]+/).flatMap((part) => (part === '' ? [] : [Number(part)]));
    const layouts: Readonly<Record<string, number>> = { nhwc: 0, nchw: 1 };
    const argument = isLayout ? READERS.nchw?.([layouts[text.toLowerCase()] ?? -1]) : READERS[name]?.(numbers);
    if (argument) given = { ...given, ...argument };
    else notes.push(notUsed(name, `“${text.slice(0, 40)}”`));
  }
  return { given, notes };
}
