import type { NamedArgument } from '../protocol/judge';
import { countOf, type Header, ReadError, shapeText } from './format';
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
