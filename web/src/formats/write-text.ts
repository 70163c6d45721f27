import { countOf } from './format';
import type { NamedValues } from './npz';
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
  if (style === 'json') return nested(tensor, numberIn({ nan: 'NaN', infinity: 'Infinity' }));
  if (style === 'numpy') {
    const numbers = nested(tensor, numberIn({ nan: 'np.nan', infinity: 'np.inf' }));
    return `${name} = np.array(${numbers}, dtype=np.float32)${empty}`;
  }
  const numbers = nested(tensor, numberIn({ nan: "float('nan')", infinity: "float('inf')" }));
  return `${name} = torch.tensor(${numbers}, dtype=torch.float32)${empty}`;
}

const numberIn =
  ({ nan, infinity }: { readonly nan: string; readonly infinity: string }) =>
  (value: number): string => {
    if (Number.isNaN(value)) return nan;
    if (Number.isFinite(value)) return floatText(value);
    return value > 0 ? infinity : `-${infinity}`;
  };

/** Nested lists, one row on each line. */
function nested({ shape, values }: NamedValues, numberText: (value: number) => string): string {
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
