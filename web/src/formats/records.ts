import type { NamedArgument } from '../protocol/judge';
import { type ConvDesc, INPUTS, RESULTS } from '../protocol/problem';
import {
  arrayHeader,
  type Contents,
  checkShape,
  countOf,
  type Header,
  NO_LOSS,
  opened,
  ReadError,
  shapeText,
} from './format';
import type { Lists, Literal, NumbersLiteral, RecordLiteral } from './lists';

/** The arrays of values: the values themselves, or those in dictionaries, objects and lists. */

export const NO_NUMBERS = 'it contains no numbers';
export const SIZES_ONLY = 'these are sizes, not values. Print the array itself and paste that';
const NO_LISTS = 'none of its entries is a list of numbers';

/** Names of the values of an array beside its shape. */
const DATA = ['data', 'values', 'cpuData', 'float_data'];
/** Names of a shape. */
const SHAPES = ['shape', 'dims', 'dim', 'sizes', 'size'];
/** Names of sizes, which are never values. */
const IS_SIZES =
  /(?:^|[\s._])(?:shape|sizes?|dims?|ndim|length|byteLength|byteOffset|BYTES_PER_ELEMENT)$|^(?:shape|size|dims?)[\s(]/i;

const namesSizes = (name: string): boolean => IS_SIZES.test(name);

export class Collector {
  readonly tensors: Header[] = [];
  readonly notes: string[] = [];
  /** Texts beside the arrays: padding "same". */
  readonly given: NamedArgument[] = [];
  private sizes = 0;

  constructor(private readonly literals: Lists) {}

  /** Adds the arrays of a value. `name`: of a single one. */
  add(name: string, value: Literal): void {
    const [tensors, sizes] = [this.tensors.length, this.sizes];
    if (value.kind === 'text' || value.kind === 'word') {
      throw new ReadError(value.text === '' ? NO_NUMBERS : `“${value.text.slice(0, 40)}” is not a number`);
    }
    this.addPart(name, value);
    if (this.tensors.length > tensors || value.kind === 'sizes' || value.kind === 'numbers') return;
    if (this.sizes > sizes) throw new ReadError(SIZES_ONLY);
    throw new ReadError(value.kind === 'list' ? NO_NUMBERS : NO_LISTS);
  }

  private addPart(name: string, value: Literal): void {
    if (value.kind === 'sizes' || (namesSizes(name) && value.kind === 'numbers')) {
      this.sizes += 1;
      if (name !== '') this.notes.push(`${name} has sizes, not values, and was skipped.`);
    } else if (value.kind === 'numbers') this.addNumbers(name, value);
    else if (value.kind === 'list') this.addList(name, value.items);
    else if (value.kind === 'record') this.addRecord(name, value);
    else if (value.kind === 'text') this.given.push(...argumentsIn(new Map([[name, value.text]])));
  }

  private addNumbers(name: string, value: NumbersLiteral): void {
    const arrays = value.arrays ?? [];
    if (arrays.length > 1) this.addList('', arrays);
    else this.tensors.push(this.literals.tensor(name, arrays[0] ?? value));
  }

  /** Pairs of names and values, rows as objects of indices, or several arrays. */
  private addList(name: string, items: readonly Literal[]): void {
    const rows = items.map((item) => (item.kind === 'record' ? indexed(item) : null));
    const [first] = rows;
    if (first && rows.every((row) => row && row.to - row.from === first.to - first.from)) {
      const last = rows.at(-1);
      if (last && last.to - first.from === rows.length * (first.to - first.from)) {
        const shape = [rows.length, ...first.shape];
        this.addPart(name, { ...first, shape, to: last.to });
        return;
      }
    }
    for (const item of items) this.addPart(item.kind === 'record' && !item.isPair ? name : '', item);
  }

  private addRecord(name: string, record: RecordLiteral): void {
    const { entries } = record;
    const own = indexed(record) ?? this.shaped(record);
    const title = entries.get('name');
    if (own) {
      this.addPart(name === '' && title?.kind === 'text' ? title.text : name, own);
      return;
    }
    const keys = [...entries.keys()];
    const inner = [...entries.values()];
    const hasArrays = [...entries].some(
      ([key, one]) => one.kind === 'record' || one.kind === 'list' || (isArray(one) && !namesSizes(key)),
    );
    if (!hasArrays && keys.some((key) => SHAPES.includes(key))) {
      this.sizes += 1;
      return;
    }
    if (keys.length > 1 && keys.every(isIndex) && inner.every((one) => one.kind === 'record' && indexed(one))) {
      throw new ReadError('it is not certain if its objects are rows or columns. Print nested lists');
    }
    for (const [key, value] of entries) {
      if (value.kind === 'word' && /^(?:None|null|nothing)$/.test(value.text)) continue;
      this.addPart(name === '' ? key : `${name}.${key}`, value);
    }
  }

  /** An array beside its shape: { "shape": [2, 2], "data": [1, 2, 3, 4] }. Null: it is not one. */
  private shaped({ entries }: RecordLiteral): NumbersLiteral | null {
    const entry = (names: readonly string[]) => names.map((name) => entries.get(name)).find((one) => one !== undefined);
    const type = entries.get('type');
    const vol = this.vol(entries);
    const given = entry(vol ? ['w'] : DATA);
    const data = given?.kind === 'record' ? indexed(given) : given;
    if (data?.kind !== 'numbers') return null;
    if (type?.kind === 'text' && type.text === 'Buffer') throw new ReadError('a Buffer has bytes, not numbers');
    const shape = entry(SHAPES);
    const sizes = shape?.kind === 'numbers' && shape.shape.length === 1 ? this.literals.sizes(shape) : vol;
    if (!sizes) return null;
    const strides = entries.get('stride') ?? entries.get('strides');
    const steps = strides?.kind === 'numbers' ? this.literals.sizes(strides) : null;
    if (steps && steps.length === sizes.length && steps.some((step, axis) => step !== countOf(sizes.slice(axis + 1)))) {
      throw new ReadError(
        `its strides ${shapeText(steps)} are not those of rows one after another. Copy the array first`,
      );
    }
    if (countOf(sizes) !== data.to - data.from) {
      throw new ReadError(
        `its shape ${shapeText(sizes)} needs ${countOf(sizes)} numbers, but it has ${data.to - data.from}`,
      );
    }
    if (data.shape.length > 1 && data.shape.join() !== sizes.join()) {
      throw new ReadError(`its shape is ${shapeText(sizes)}, but its data is ${shapeText(data.shape)}`);
    }
    return { ...data, shape: sizes };
  }

  /** The sizes of a volume of ConvNetJS: rows, columns, channels. */
  private vol(entries: RecordLiteral['entries']): readonly number[] | null {
    const sizes = ['sy', 'sx', 'depth'].map((name) => entries.get(name));
    return sizes.every((size) => size?.kind === 'numbers' && size.shape.length === 0)
      ? sizes.flatMap((size) => (size?.kind === 'numbers' ? this.literals.sizes(size) : []))
      : null;
  }
}

const isArray = (value: Literal): boolean => value.kind === 'numbers' && value.shape.length > 0;

const isIndex = (key: string, index: number): boolean => key === String(index);

/** An object of indices, as JSON.stringify writes a Float32Array: { "0": 1.5, "1": -2 }. */
function indexed({ entries }: RecordLiteral): NumbersLiteral | null {
  const values = [...entries.values()];
  if (values.length === 0 || ![...entries.keys()].every(isIndex)) return null;
  const numbers = values.flatMap((one) => (one.kind === 'numbers' && one.shape.length === 0 ? [one] : []));
  const [first] = numbers;
  const last = numbers.at(-1);
  if (!first || !last || numbers.length !== values.length) return null;
  return { ...first, shape: [numbers.length], to: last.to };
}

const WHOLE = /^\d+$/;
/** Names of arguments; conv2d_check knows them exactly. A file has other texts as well: format "pt". */
const IS_ARGUMENT = /pad|stride|dilation|group/i;

/** The arguments among texts beside arrays, as in the metadata of a .safetensors file: stride "2,2", padding "same". */
export function argumentsIn(metadata: ReadonlyMap<string, string>): readonly NamedArgument[] {
  return [...metadata].flatMap(([name, text]): readonly NamedArgument[] => {
    if (!IS_ARGUMENT.test(name) || text.length > LONGEST) return [];
    const parts = text.split(/[^-+.\w]+/).filter(Boolean);
    const isNumbers = parts.length > 0 && parts.every((part) => WHOLE.test(part));
    return [{ name, values: isNumbers ? parts.map(Number) : [], text: isNumbers ? '' : text }];
  });
}

/** Characters of an argument. */
const LONGEST = 80;

/** A case file: one convolution with its inputs and expected results. */

/** The record of a case file; null of any other value. */
export const caseOf = (value: Literal): RecordLiteral | null =>
  value.kind === 'record' && value.entries.has('x_shape') && value.entries.has('w_shape') ? value : null;

export function readCase({ entries }: RecordLiteral, literals: Lists): Contents {
  const sizes = (field: string, count: number): readonly number[] | null => {
    const value = entries.get(field);
    return value?.kind === 'numbers' && value.to - value.from === count ? literals.sizes(value) : null;
  };
  const number = (field: string): number | null => {
    const value = entries.get(field);
    return value?.kind === 'numbers' ? literals.numbers.at(value.from) : null;
  };
  const text = (field: string): string | null => {
    const value = entries.get(field);
    return value?.kind === 'text' ? value.text : null;
  };
  if ((number('invalid') ?? 0) !== 0) throw new ReadError('this case is for an error and has no values');
  const [x, w] = [sizes('x_shape', 4), sizes('w_shape', 4)];
  if (!x || !w) throw new ReadError('x_shape and w_shape must have four sizes each');
  const layout = text('layout')?.toLowerCase();
  if (layout !== 'nhwc' && layout !== 'nchw') throw new ReadError('layout must be "NHWC" or "NCHW"');
  const [stride, dilation] = [sizes('stride', 2), sizes('dilation', 2)];
  if (!stride || !dilation) throw new ReadError('stride and dilation must have two numbers each');
  const groups = number('groups');
  if (groups === null) throw new ReadError('groups must be a number');
  const sides = sizes('pads', 4) ?? sizes('padding', 4);
  const mode = text('padding')?.toLowerCase() ?? 'explicit_sides';
  if (mode !== 'same' && mode !== 'valid' && (mode !== 'explicit_sides' || !sides)) {
    throw new ReadError('padding must be "SAME", "VALID" or four numbers');
  }
  const [n = 0, ...image] = x;
  const [h = 0, wide = 0, c = 0] = layout === 'nhwc' ? image : [image[1], image[2], image[0]];
  const [kh = 0, kw = 0, , k = 0] = layout === 'nhwc' ? w : [w[2], w[3], w[1], w[0]];
  const [top = 0, bottom = 0, left = 0, right = 0] = sides ?? [];
  const desc: ConvDesc = {
    ...{ layout, n, h, w: wide, c, k, kh, kw, groups },
    ...{ stride_h: stride[0] ?? 1, stride_w: stride[1] ?? 1 },
    ...{ dilation_h: dilation[0] ?? 1, dilation_w: dilation[1] ?? 1 },
    padding_mode: mode,
    padding: { top, bottom, left, right },
  };
  const shapes = { x, w, dx: x, dw: w, y: sizes('y_shape', 4), dy: sizes('y_shape', 4), b: [desc.k], db: [desc.k] };
  const tensors: Header[] = [];
  const notes: string[] = [];
  for (const name of [...INPUTS, ...RESULTS]) {
    const value = entries.get(name);
    const shape = shapes[name];
    if (!value || (value.kind === 'word' && /^(?:null|None)$/.test(value.text))) continue;
    if (!shape) throw new ReadError(`y_shape must have four sizes, because the case has ${name}`);
    if (value.kind === 'record' && value.entries.has('gen')) {
      const seed = value.entries.get('seed');
      if (seed?.kind !== 'numbers') throw new ReadError(`${name} is generated, but its seed is missing`);
      checkShape(shape, name);
      const state = literals.numbers.at(seed.from);
      tensors.push(
        arrayHeader(name, shape, 'generated', () => ({ values: generate(countOf(shape), state), loss: NO_LOSS })),
      );
    } else if (value.kind === 'record') {
      notes.push(`The case has only a digest of ${name}, not its values.`);
    } else if (value.kind === 'numbers') {
      tensors.push(literals.tensor(name, value, shape));
    } else {
      throw new ReadError(`${name} is not a list of numbers`);
    }
  }
  return opened(tensors, { notes, desc, link: text('link') ?? '' });
}

/** The generator of case files: 24 bits of a linear congruential generator, -1 to 1, exact in float32. */
function generate(count: number, seed: number): Float32Array {
  let state = seed >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    return ((state >>> 8) / 2 ** 24) * 2 - 1;
  });
}
