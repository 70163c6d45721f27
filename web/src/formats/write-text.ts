import { countOf } from './format';
import type { NamedValues } from './npz';
import { floatText } from './number-text';

/** A tensor as text, for other programs; every one of these is read again by readText, number by number. */

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
  // Empty lists do not say their sizes.
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

/** Lists within lists, a row a line. */
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

/** A row a line; a blank line before each further matrix. */
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
