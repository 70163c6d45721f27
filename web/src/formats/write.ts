import { FILE_LIMITS } from '../protocol/file-limits';
import { type Geometry, type ResultName, SIDES } from '../protocol/problem';
import { wShape, xShape } from '../protocol/shapes';
import { countOf, type Refused, refusedBecause, shapeText } from './format';
import type { NamedValues } from './npy';
import { floatText } from './number-text';

/** Writes a tensor as text for other programs. readText reads each style without loss. */

export type TextStyle = 'tabs' | 'commas' | 'numpy' | 'pytorch' | 'json';

export const TEXT_STYLES: Readonly<Record<TextStyle, string>> = {
  tabs: 'Cells for a spreadsheet',
  commas: 'CSV',
  numpy: 'NumPy',
  pytorch: 'PyTorch',
  json: 'JSON',
};

export function writeText(style: TextStyle, tensor: NamedValues): string {
  if (style === 'tabs') return writeTable(tensor, '\t');
  if (style === 'commas') return writeTable(tensor, ',');
  const { name } = tensor;
  // An empty list has no shape.
  const empty = countOf(tensor.shape) === 0 ? `.reshape(${tensor.shape.join(', ')})` : '';
  if (style === 'json') return nested(tensor, 'NaN', 'Infinity');
  if (style === 'numpy') return `${name} = np.array(${nested(tensor, 'np.nan', 'np.inf')}, dtype=np.float32)${empty}`;
  return `${name} = torch.tensor(${nested(tensor, "float('nan')", "float('inf')")}, dtype=torch.float32)${empty}`;
}

/** Nested lists, one row on each line. */
function nested({ shape, values }: NamedValues, nan: string, infinity: string): string {
  const numberText = (value: number): string => {
    if (Number.isNaN(value)) return nan;
    if (Number.isFinite(value)) return floatText(value);
    return value > 0 ? infinity : `-${infinity}`;
  };
  const level = (axis: number, from: number): string => {
    const size = shape[axis];
    if (size === undefined) return numberText(values[from] ?? 0);
    const step = countOf(shape.slice(axis + 1));
    const parts = Array.from({ length: size }, (_, index) => level(axis + 1, from + index * step));
    return `[${parts.join(axis === shape.length - 1 ? ', ' : `,\n${' '.repeat(axis + 1)}`)}]`;
  };
  return level(0, 0);
}

/** One row on each line; blank lines between matrices. */
function writeTable({ shape, values }: NamedValues, separator: string): string {
  const cols = shape.at(-1) ?? 1;
  const rows = shape.at(-2) ?? 1;
  const lines: string[] = [];
  for (let row = 0; row * cols < values.length; row += 1) {
    if (row > 0 && row % rows === 0) lines.push('');
    lines.push(Array.from(values.subarray(row * cols, (row + 1) * cols), floatText).join(separator));
  }
  return lines.join('\n');
}

/** Writes a problem with its results as a case file. `npm run cases` checks it against every algorithm. */

interface CaseFile {
  readonly name: string;
  readonly geometry: Geometry;
  /** Flat, in the order of the layout; b is null without a bias. */
  readonly inputs: Readonly<Record<'x' | 'w' | 'dy', Float32Array>> & { readonly b: Float32Array | null };
  readonly results: Readonly<Record<ResultName, Float32Array>>;
  /** Tolerance for other algorithms, for each result. From the library. */
  readonly atol: Readonly<Record<ResultName, number>>;
  /** Link of the problem; values may be left out. */
  readonly link: string;
}

const RTOL = 1e-5;

export function writeCase({ name, geometry, inputs, results, atol, link }: CaseFile): string | Refused {
  const tensors = { ...inputs, ...results };
  for (const [tensor, values] of Object.entries(tensors)) {
    const at = values?.findIndex((value) => !Number.isFinite(value)) ?? -1;
    if (at !== -1) return refusedBecause(`${tensor} has ${values?.[at]} at index ${at}, which JSON cannot represent`);
  }
  const { layout, n, k, oh, ow, padding } = geometry;
  const desc = { ...geometry, padding_mode: 'explicit_sides' } as const;
  const sides = shapeText(SIDES.map((side) => padding[side]));
  const fields: readonly (readonly [string, string])[] = [
    ['name', JSON.stringify(name)],
    ['source', '"conv2d playground"'],
    ['tags', '[]'],
    ['layout', JSON.stringify(layout.toUpperCase())],
    ['x_shape', shapeText(xShape(desc))],
    ['w_shape', shapeText(wShape(desc))],
    ['y_shape', shapeText(layout === 'nhwc' ? [n, oh, ow, k] : [n, k, oh, ow])],
    ['stride', shapeText([geometry.stride_h, geometry.stride_w])],
    ['padding', sides],
    ['pads', sides],
    ['dilation', shapeText([geometry.dilation_h, geometry.dilation_w])],
    ['groups', String(geometry.groups)],
    ...Object.entries(tensors).map(([tensor, values]) => [tensor, listText(values)] as const),
    ['expected_from', '"conv2d playground"'],
    ['rtol', String(RTOL)],
    ['atol', String(Math.max(...Object.values(atol)))],
    ['atol_each', JSON.stringify(atol)],
    ['link', JSON.stringify(link)],
  ];
  const text = `{\n${fields.map(([field, value]) => `  "${field}": ${value}`).join(',\n')}\n}\n`;
  const most = FILE_LIMITS.characters;
  if (text.length <= most) return text;
  return refusedBecause(
    `the file would have ${text.length.toLocaleString('en')} characters; the limit is ${most.toLocaleString('en')}. Save as .npz`,
  );
}

const listText = (values: Float32Array | null): string =>
  values === null ? 'null' : `[${Array.from(values, floatText).join(', ')}]`;
