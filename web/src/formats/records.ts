import type { NamedArgument } from '../protocol/judge';
import { argumentsIn } from './arguments';
import { countOf, type Refused, refusedBecause, shapeText, type TensorHeader } from './format';
import type { Lists, Literal, NumbersLiteral, RecordLiteral } from './lists';

/** The arrays of a value: the value itself, or those in dictionaries, objects and lists. */

export interface FoundArrays {
  readonly tensors: readonly TensorHeader[];
  readonly notes: readonly string[];
  /** Texts beside the arrays: padding "same". */
  readonly given: readonly NamedArgument[];
}

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

/** Adds the arrays of a value to a list. */
class Collector implements FoundArrays {
  readonly tensors: TensorHeader[] = [];
  readonly notes: string[] = [];
  readonly given: NamedArgument[] = [];
  sizes = 0;

  constructor(private readonly literals: Lists) {}

  add(name: string, value: Literal): Refused | null {
    if (value.kind === 'sizes' || (namesSizes(name) && value.kind === 'numbers')) {
      this.sizes += 1;
      if (name !== '') this.notes.push(`${name} has sizes, not values, and was skipped.`);
      return null;
    }
    if (value.kind === 'numbers') return this.addNumbers(name, value);
    if (value.kind === 'list') return this.addList(name, value.items);
    if (value.kind === 'text') this.given.push(...argumentsIn(new Map([[name, value.text]])));
    return value.kind === 'record' ? this.addRecord(name, value) : null;
  }

  private addNumbers(name: string, value: NumbersLiteral): Refused | null {
    const arrays = value.arrays ?? [];
    if (arrays.length > 1) return this.addList('', arrays);
    const tensor = this.literals.tensor(name, arrays[0] ?? value);
    if ('refusal' in tensor) return tensor;
    this.tensors.push(tensor);
    return null;
  }

  /** Pairs of names and values, rows as objects of indices, or several arrays. */
  private addList(name: string, items: readonly Literal[]): Refused | null {
    const rows = items.map((item) => (item.kind === 'record' ? indexed(item) : null));
    const [first] = rows;
    if (first && rows.every((row) => row && row.to - row.from === first.to - first.from)) {
      const last = rows.at(-1);
      const rounded = rows.reduce((sum, row) => sum + (row?.rounded ?? 0), 0);
      if (last && last.to - first.from === rows.length * (first.to - first.from)) {
        const shape = [rows.length, ...first.shape];
        return this.add(name, { ...first, shape, to: last.to, rounded });
      }
    }
    for (const item of items) {
      const refused = this.add(item.kind === 'record' && !item.isPair ? name : '', item);
      if (refused) return refused;
    }
    return null;
  }

  private addRecord(name: string, record: RecordLiteral): Refused | null {
    const { entries } = record;
    const own = indexed(record) ?? this.shaped(record);
    if (own && 'refusal' in own) return own;
    const title = entries.get('name');
    if (own) return this.add(name === '' && title?.kind === 'text' ? title.text : name, own);
    const keys = [...entries.keys()];
    const inner = [...entries.values()];
    const hasArrays = [...entries].some(
      ([key, one]) => one.kind === 'record' || one.kind === 'list' || (isArray(one) && !namesSizes(key)),
    );
    if (!hasArrays && keys.some((key) => SHAPES.includes(key))) {
      this.sizes += 1;
      return null;
    }
    if (keys.length > 1 && keys.every(isIndex) && inner.every((one) => one.kind === 'record' && indexed(one))) {
      return refusedBecause('it is not certain if its objects are rows or columns. Print nested lists');
    }
    for (const [key, value] of entries) {
      if (value.kind === 'word' && /^(?:None|null|nothing)$/.test(value.text)) continue;
      const refused = this.add(name === '' ? key : `${name}.${key}`, value);
      if (refused) return refused;
    }
    return null;
  }

  /** An array beside its shape: { "shape": [2, 2], "data": [1, 2, 3, 4] }. Null: it is not one. */
  private shaped({ entries }: RecordLiteral): NumbersLiteral | Refused | null {
    const entry = (names: readonly string[]) => names.map((name) => entries.get(name)).find((one) => one !== undefined);
    const type = entries.get('type');
    const vol = this.vol(entries);
    const given = entry(vol ? ['w'] : DATA);
    const data = given?.kind === 'record' ? indexed(given) : given;
    if (data?.kind !== 'numbers') return null;
    if (type?.kind === 'text' && type.text === 'Buffer') return refusedBecause('a Buffer has bytes, not numbers');
    const shape = entry(SHAPES);
    const sizes = shape?.kind === 'numbers' && shape.shape.length === 1 ? this.literals.sizes(shape) : vol;
    if (!sizes) return null;
    const strides = entries.get('stride') ?? entries.get('strides');
    const steps = strides?.kind === 'numbers' ? this.literals.sizes(strides) : null;
    if (steps && steps.length === sizes.length && steps.some((step, axis) => step !== countOf(sizes.slice(axis + 1)))) {
      return refusedBecause(
        `its strides ${shapeText(steps)} are not those of rows one after another. Copy the array first`,
      );
    }
    if (countOf(sizes) !== data.to - data.from) {
      return refusedBecause(
        `its shape ${shapeText(sizes)} needs ${countOf(sizes)} numbers, but it has ${data.to - data.from}`,
      );
    }
    if (data.shape.length > 1 && data.shape.join() !== sizes.join()) {
      return refusedBecause(`its shape is ${shapeText(sizes)}, but its data is ${shapeText(data.shape)}`);
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
  const rounded = numbers.reduce((sum, one) => sum + one.rounded, 0);
  return { ...first, shape: [numbers.length], to: last.to, rounded };
}

/** The arrays of a value. `name`: of a single one. */
export function arraysOf(name: string, value: Literal, literals: Lists): FoundArrays | Refused {
  const found = new Collector(literals);
  if (value.kind === 'text' || value.kind === 'word') {
    return refusedBecause(value.text === '' ? NO_NUMBERS : `“${value.text.slice(0, 40)}” is not a number`);
  }
  const refused = found.add(name, value);
  if (refused) return refused;
  if (found.tensors.length > 0 || value.kind === 'sizes' || value.kind === 'numbers') return found;
  if (found.sizes > 0) return refusedBecause(SIZES_ONLY);
  return refusedBecause(value.kind === 'list' ? NO_NUMBERS : NO_LISTS);
}
