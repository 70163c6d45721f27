import { encodeValues } from '../link/text';

/** Nested arrays of numbers as values of a state: { x: [[1, 2], [3, 4]] }. */

/** The source before the values, and the sizes that a matrix sets. */
const INPUTS: Readonly<Record<string, { readonly source: string; readonly sizes: readonly string[] }>> = {
  x: { source: 'brought', sizes: ['h', 'w'] },
  weights: { source: 'brought', sizes: ['kh', 'kw'] },
  bias: { source: 'brought', sizes: [] },
  b: { source: 'brought', sizes: [] },
  dy: { source: 'values', sizes: [] },
};

const MOST_AXES = 4;

/** The lengths of the axes; null if rows differ in length, if anything else is inside, or if there are more than four axes. */
function shapeOf(value: unknown, axes = 0): readonly number[] | null {
  if (typeof value === 'number') return [];
  if (!Array.isArray(value) || axes === MOST_AXES) return null;
  const [first = null, ...others] = value.map((entry) => shapeOf(entry, axes + 1));
  return first && others.every((other) => other?.join() === first.join()) ? [value.length, ...first] : null;
}

/** The array as fields of a link: its values, and the sizes of a matrix. null: not an array of this input. */
export function fieldsOfArray(key: string, value: unknown): Readonly<Record<string, string>> | null {
  const input = Object.hasOwn(INPUTS, key) ? INPUTS[key] : undefined;
  const typed = value instanceof Float32Array ? [...value] : value;
  const shape = shapeOf(typed);
  if (!input || !shape || !Array.isArray(typed)) return null;
  const values = Float32Array.from(typed.flat(MOST_AXES));
  const sizes = shape.length === 2 ? input.sizes.map((name, axis) => [name, String(shape[axis])] as const) : [];
  return { ...Object.fromEntries(sizes), [key]: `${input.source}~${encodeValues(values)}` };
}
