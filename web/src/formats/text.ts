import { FILE_LIMITS } from '../protocol/file-limits';
import {
  type FileContents,
  listed,
  opened,
  type Refused,
  refuse,
  shapeText,
  type TensorHeader,
  type TextPosition,
} from './format';
import { type Literal, Literals } from './literal';
import { type NumberAt, NumberList, numberAt, skipSpace, TOO_MANY } from './number-text';

/** Reads pasted text or a text file: a table, or brackets as printed by programs. */

const PROGRAM = /[[({<]|>>>|(?:In|Out) ?\[|[A-Za-z_][\w.]*\s*(?:\(|=|:|containing:)/y;
const NO_NUMBERS = 'it contains no numbers';
const PROMPT = />>>|(?:In|Out) ?\[\d*\]:/y;
const NAME_AHEAD = /(?=[A-Za-z_][\w.]*\s*[=:](?!=))/y;

export function readText(text: string): FileContents | Refused {
  if (text.length > FILE_LIMITS.characters) {
    const most = FILE_LIMITS.characters.toLocaleString('en');
    return refuse(
      `the text has ${text.length.toLocaleString('en')} characters; the limit is ${most}. Save large arrays as .npy`,
    );
  }
  PROGRAM.lastIndex = skipSpace(text, 0);
  return PROGRAM.test(text) ? readStatements(text) : readTable(text);
}

/** Reads one value after another, with or without names: w = np.array(…). */
function readStatements(text: string): FileContents | Refused {
  const literals = new Literals(text);
  const tensors: TensorHeader[] = [];
  while (literals.more()) {
    const name = nameBefore(literals);
    const value = literals.literal();
    if (!value || !literals.ends()) return literals.refused('this could not be read');
    const found = tensorsOf(name, value, literals);
    if ('refusal' in found) return found;
    tensors.push(...found);
    if (tensors.length > FILE_LIMITS.tensors)
      return refuse(`it contains more than ${FILE_LIMITS.tensors} tensors, which is the limit`);
    if (literals.more()) while (literals.take(';') || literals.take(',')) literals.more();
  }
  if (tensors.length === 0) return refuse(NO_NUMBERS);
  const last = new Map(tensors.map((tensor, index) => [tensor.name || index, tensor]));
  const replaced = tensors.filter((tensor) => tensor.name !== '' && last.get(tensor.name) !== tensor);
  const names = [...new Set(replaced.map(({ name }) => name))];
  const notes = names.map((name) => `${name} occurs more than once. The last value is used.`);
  return opened([...last.values()], { notes });
}

/** Skips Python prompts, "Parameter containing:" and "w ="; returns the name. */
function nameBefore(literals: Literals): string {
  while (literals.match(PROMPT)) literals.more();
  if (literals.match(/Parameter containing:/y)) return '';
  if (!literals.match(NAME_AHEAD)) return '';
  const name = literals.word() ?? '';
  literals.match(/\s*[=:]/y);
  return name;
}

/** The tensors of a value: the value itself, or the entries of a dictionary. */
export function tensorsOf(name: string, value: Literal, literals: Literals): readonly TensorHeader[] | Refused {
  if (value.kind === 'text' || value.kind === 'word') {
    return refuse(value.text === '' ? NO_NUMBERS : `“${value.text.slice(0, 40)}” is not a number`);
  }
  if (value.kind === 'list') return refuse(NO_NUMBERS);
  const tensors: TensorHeader[] = [];
  for (const [key, entry] of value.kind === 'record' ? value.entries : [[name, value] as const]) {
    if (entry.kind !== 'numbers') continue;
    const tensor = literals.tensor(key, entry);
    if ('refusal' in tensor) return tensor;
    tensors.push(tensor);
  }
  return tensors.length === 0 ? refuse('none of its entries is a list of numbers') : tensors;
}

/** Reads rows of numbers from spreadsheets, CSV files and numpy.savetxt. A blank line begins a new block. */

type Separator = '\t' | ';' | ',' | ' ';

function readTable(text: string): FileContents | Refused {
  const lines = text.split(/\r\n|\n|\r/);
  const notes: string[] = [];
  const separator = separatorOf(lines);
  const ambiguous = text.includes(',') && ambiguousCell(lines, separator);
  if (ambiguous) return refuse(ambiguousText(ambiguous.cell), ambiguous.position);
  const decimalCommas = hasDecimalCommas(lines, separator);
  if (decimalCommas) notes.push('Commas are read as decimal points.');
  const numbers = new NumberList();
  const blocks: number[] = [];
  let cols = -1;
  let firstLine = 0;
  let inBlock = false;
  for (const [index, whole] of lines.entries()) {
    const line = whole.trim();
    if (line.startsWith('#')) continue;
    if (line.replace(/[\s,;]/g, '') === '') {
      inBlock = false;
      continue;
    }
    const cells = cellsOf(whole, separator);
    if (cols === -1 && cells.some((cell) => /\p{L}/u.test(cell)) && cells.every((cell) => !readCell(cell, false))) {
      notes.push(`Line ${index + 1} has no numbers and was skipped.`);
      continue;
    }
    for (const [at, cell] of cells.entries()) {
      const number = readCell(cell, decimalCommas);
      const position = () => ({ line: index + 1, column: columnOf(whole, separator, cell, at) });
      if (!number) return refuse(cellFault(cell, at + 1), position());
      if (!numbers.push(number.value, number.rounded)) return refuse(TOO_MANY, position());
    }
    if (cols === -1) [cols, firstLine] = [cells.length, index + 1];
    if (cells.length !== cols) {
      const has = cells.length === 1 ? '1 number' : `${cells.length} numbers`;
      const reason = `this line has ${has}, but line ${firstLine} has ${cols}`;
      return refuse(reason, { line: index + 1, column: 1 });
    }
    if (inBlock) blocks[blocks.length - 1] = (blocks.at(-1) ?? 0) + 1;
    else blocks.push(1);
    inBlock = true;
  }
  const [rows = 0] = blocks;
  if (cols === -1) return refuse(NO_NUMBERS);
  const odd = blocks.findIndex((count) => count !== rows);
  if (odd !== -1) {
    return refuse(
      `the blocks between blank lines differ: block 1 has ${rows} lines, block ${odd + 1} has ${blocks[odd]}`,
    );
  }
  const shape = blocks.length === 1 ? [rows, cols] : [blocks.length, rows, cols];
  if (blocks.length > 1) notes.push(`Blank lines separate blocks: ${shapeText(shape)}.`);
  return opened([listed('', shape, 'decimal', () => numbers.floats(0, numbers.length, numbers.rounded))], { notes });
}

/** The separator of the first line with a number. */
function separatorOf(lines: readonly string[]): Separator {
  const line = lines.find((candidate) => /\d/.test(candidate) && !candidate.trim().startsWith('#')) ?? '';
  return (['\t', ';', ','] as const).find((separator) => line.includes(separator)) ?? ' ';
}

const DECIMAL_COMMA = /^[+\-\u2212]?\d+(?:,\d+)?(?:[eE][+-]?\d+)?$/;

/** True if commas are decimal points: only possible with tabs or semicolons as separators. */
function hasDecimalCommas(lines: readonly string[], separator: Separator): boolean {
  if (separator !== '\t' && separator !== ';') return false;
  if (!lines.some((line) => line.includes(','))) return false;
  return lines.every(
    (line) =>
      line.trim().startsWith('#') ||
      !line.includes(',') ||
      cellsOf(line, separator).every((cell) => !cell.includes(',') || DECIMAL_COMMA.test(cell)),
  );
}

const NUMERIC = /^[+\-\u2212]?[\d.,]*\d[\d.,]*(?:[eE][+-]?\d+)?$/;
/** 1,000 is a thousand or 1, depending on the locale; 0,125 is not ambiguous. As in the cells of the page (ui/numbers.ts). */
const GROUPED = /^[+\-\u2212]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/;

const ambiguousText = (cell: string): string =>
  `“${cell}” is ambiguous. Use a point before decimals and no thousands separators`;

/**
 * The first cell with a comma that could be a thousands separator: every comma is followed by three digits, or the table also
 * has points. Null if there is none.
 */
function ambiguousCell(lines: readonly string[], separator: Separator) {
  let found: { readonly cell: string; readonly position: TextPosition } | null = null;
  let decimals = false;
  let points = false;
  let zeros = false;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue;
    // Lines of one group each: 1,000 is more likely a cell than the numbers 1 and 000.
    const cells = separator === ',' ? [line.trim()] : cellsOf(line, separator);
    for (const [at, cell] of cells.entries()) {
      if (!NUMERIC.test(cell)) continue;
      if (cell.includes('.')) points = true;
      if (!cell.includes(',')) continue;
      if (!GROUPED.test(cell)) decimals = true;
      zeros ||= /,0/.test(cell);
      found ??= { cell, position: { line: index + 1, column: columnOf(line, separator, cell, at) } };
    }
  }
  if (separator === ',') return zeros && !decimals ? found : null;
  return points || !decimals ? found : null;
}

function cellsOf(line: string, separator: Separator): readonly string[] {
  if (separator === ' ') return line.trim().split(/\s+/);
  const quoted = line.includes('"');
  const cells = line.split(separator).map((cell) => (quoted ? cell.trim().replace(/^"(.*)"$/, '$1') : cell).trim());
  // numpy.savetxt and some spreadsheets end a line with a separator.
  if (cells.length > 1 && cells.at(-1) === '' && separator !== '\t') cells.pop();
  return cells;
}

function readCell(cell: string, decimalCommas: boolean): NumberAt | null {
  const plain = decimalCommas ? cell.replace(',', '.') : cell;
  const number = numberAt(plain, 0);
  return number?.end === plain.length ? number : null;
}

function columnOf(line: string, separator: Separator, cell: string, index: number): number {
  if (separator === ' ' || index === 0) return line.indexOf(cell) + 1;
  return line.split(separator).slice(0, index).join(separator).length + 2;
}

function cellFault(cell: string, position: number): string {
  if (cell === '') return `cell ${position} of this line is empty`;
  if (/^(?:\.\.\.|…)/.test(cell)) return '“…” stands for numbers that were not printed: print all of them';
  if (GROUPED.test(cell)) return ambiguousText(cell);
  return `“${cell.length > 40 ? `${cell.slice(0, 39)}…` : cell}” is not a number`;
}
