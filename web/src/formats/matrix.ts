import type { Cursor } from './cursor';
import { countOf, ReadError, shapeText } from './format';
import { sizesIn } from './forms';
import { LEFT_OUT_BY_JULIA } from './lists';
import { type NumberAt, NumberList, numberAt, TOO_MANY } from './number-text';
import { readTable, type TextTable } from './table';

/** Reads matrices and their pages as MATLAB, Octave, R, Julia, libtorch and early PyTorch print them: one row a line. */

/** Every line of such a print, with the meaning of the numbers that are not values. */
const LINES = {
  /** (0 ,1 ,.,.) = : page 0, 1 of [pages, rows, columns]. */
  pageFirst: /^\(\s*(\d+(?:\s*,\s*\d+)*)\s*,\s*\.\s*,\s*\.\s*\)\s*=$/,
  /** w(:,:,1,2) =   and   , , 1, 2 : page 1, 2 of [rows, columns, pages]. */
  pageLast: /^(?:([A-Za-z]\w*)?\(:,:((?:,\d+)+)\)\s*=|, , (\d+(?:, \d+)*))$/,
  pageOfJulia: /^\[:, :(?:, \d+)+\]\s*=$/,
  /** 0.01 * */
  factor: /^(\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s+\*$/,
  /** Columns 1 through 8 of MATLAB; libtorch prints the first row on the same line. */
  columns: /^Columns?\s+(\d+)(?:\s+(?:to|through|and)\s+(\d+))?:?(?:\s+|$)/,
  /** [,1] [,2] and [1,] of R. */
  columnsOfR: /^\[,(\d+)\](?:\s+\[,\d+\])*$/,
  rowOfR: /^\[(\d+),\]\s+/,
  vectorOfR: /^\[(\d+)\]\s+(?=[-\d.NI])/,
  /** 2×2 Matrix{Float64}: */
  ofJulia: /^(\d+(?:×\d+)*)(?:-element)?\s+[A-Za-z].*:$/,
  /** 2×2 single matrix */
  ofMatlab: /^(\d+(?:×\d+)+)(?:\s+[a-z]\w*)+$/,
  words: /^(?:torch_tensor|Diagonal Matrix)$/,
  /** [ CPUFloatType{2,2} ] */
  size: /^\[ ?(?:(?:Variable\[)?\w+Type\]?\{([\d, ]*)\} ?\](?:\[ (?:requires_grad|grad_fn) = .*\])?|torch\.[\w.]+ of (?:size|dimension) ([\dx]+)(?: \(GPU \d+\))?\])$/,
  truncated: /^\.\.\.\s*\[the output was truncated/,
} as const;

/** True of a line of numbers only. */
export const isNumbers = (line: string, between = /\s+/): boolean => {
  const cells = line.split(between).filter(Boolean);
  return cells.length > 0 && cells.every((cell) => numberAt(cell, 0)?.end === cell.length);
};

/** True of a line that only a print of a matrix has. R prints [1] before a vector, which is a list without numbers behind. */
export function isMatrixLine(line: string): boolean {
  if (!/^[[,(.CDt]|^\d+×|[=*:]$/.test(line)) return false;
  if (LINES.rowOfR.test(line)) return isNumbers(line.replace(LINES.rowOfR, ''));
  return Object.values(LINES).some((pattern) => pattern !== LINES.size && pattern.test(line));
}

/** True if a line of a matrix comes before the rows of numbers end. */
function isMatrixPrint(lines: Iterable<string>): boolean {
  for (const whole of lines) {
    const line = whole.trim();
    if (isMatrixLine(line) || LINES.size.test(line)) return true;
    if (line !== '' && !isNumbers(line)) return false;
  }
  return false;
}

/** True of a line that continues a print. */
const continues = (line: string): boolean =>
  line === '' || isMatrixLine(line) || LINES.size.test(line) || /^[\d\s.eE+-]*[…⋮⋱⋯]/.test(line) || isNumbers(line);

interface PageOf {
  readonly index: readonly number[];
  readonly rows: NumberAt[][];
}

const JULIA_PAGES =
  'Julia names the axes of an array in reverse (Flux: W, H, C, N). Paste JSON.json(…) of it, which gives N, C, H, W';

/** Reads the lines of one print. `firstLine`: for positions. */
function readMatrix(lines: Iterable<string>, firstLine: number): TextTable {
  const pages: PageOf[] = [];
  let name = '';
  let order: 'first' | 'last' = 'last';
  let factor = '';
  const factors = new Set<string>();
  let size: readonly number[] | null = null;
  let isVector = false;
  /** Columns before the ones of this block, the row in the block, and its last column if the text says it. */
  let [before, row, last] = [0, 0, 0];
  /** Index of the first column; early PyTorch counts from 0. */
  let base = 1;
  const isCut = () => last > 0 && pages.at(-1)?.rows[0]?.length !== last;
  let used = 0;
  let index = -1;
  for (const whole of lines) {
    index += 1;
    const line = whole.trim();
    const fault = (reason: string) =>
      new ReadError(reason, { line: firstLine + index, column: whole.search(/\S|$/) + 1 });
    const match = (pattern: RegExp) => pattern.exec(line);
    if (!continues(line)) break;
    const first = match(LINES.pageFirst);
    const page = match(LINES.pageLast);
    const ofJulia = match(LINES.ofJulia);
    const says = ofJulia ?? match(LINES.ofMatlab);
    // The next print begins.
    if ((says && pages.length > 0) || (page && pages.length > 0 && (page[1] ?? '') !== name)) break;
    if (match(LINES.pageOfJulia)) throw fault(JULIA_PAGES);
    if (match(LINES.truncated)) throw fault('R printed a part of the tensor. Print it with n = -1');
    if (/^[⋮⋱]|…/.test(line)) throw fault(LEFT_OUT_BY_JULIA);
    used = index + 1;
    if (line === '' || match(LINES.words)) continue;
    const footer = match(LINES.size);
    if (footer) {
      size = sizesIn(footer[1] ?? footer[2] ?? '');
      break;
    }
    if (says) {
      size = sizesIn(says[1] ?? '');
      if (ofJulia && size.length > 2) throw fault(JULIA_PAGES);
      continue;
    }
    if (first || page) {
      order = first ? 'first' : 'last';
      if (page) name = page[1] ?? '';
      if (isCut()) throw fault('columns are missing before this line');
      if (pages.length === 0 && factor !== '') throw fault('it is not certain if the factor above is of all pages');
      pages.push({ index: sizesIn(first?.[1] ?? page?.[2] ?? page?.[3] ?? ''), rows: [] });
      [before, row, last, factor] = [0, 0, 0, ''];
      continue;
    }
    const times = match(LINES.factor);
    if (times) {
      const isLate = (pages.at(-1)?.rows.length ?? 0) > 0;
      if (factor === '' ? isLate : factor !== times[1]) throw fault('its numbers have different common factors');
      factor = times[1] ?? '';
      factors.add(factor);
      continue;
    }
    if (pages.length === 0) pages.push({ index: [], rows: [] });
    const rows = pages.at(-1)?.rows ?? [];
    const columns = match(LINES.columns) ?? match(LINES.columnsOfR);
    if (columns) {
      before = rows[0]?.length ?? 0;
      if (isCut()) throw fault('columns are missing before this line');
      if (before === 0) base = Number(columns[1]) === 0 ? 0 : 1;
      if (Number(columns[1]) !== before + base) throw fault(`column ${before + base} is missing before this line`);
      const end = columns[2] ?? (LINES.columns.test(line) ? columns[1] : undefined);
      last = end === undefined ? 0 : Number(end) - base + 1;
      row = 0;
    }
    const rest = line.replace(LINES.columns, '').replace(LINES.columnsOfR, '');
    if (rest === '') continue;
    const ofR = LINES.rowOfR.exec(rest);
    const vector = LINES.vectorOfR.exec(rest);
    if (ofR && Number(ofR[1]) !== row + 1) throw fault(`row ${row + 1} is missing before this line`);
    if (vector) {
      if (Number(vector[1]) !== (rows[0]?.length ?? 0) + 1) throw fault('this line does not continue the one before');
      isVector = true;
    }
    const cells = rest.replace(LINES.rowOfR, '').replace(LINES.vectorOfR, '').split(/\s+/);
    const numbers: NumberAt[] = [];
    for (const cell of cells) {
      const number = numberAt(cell, 0);
      if (number?.end !== cell.length) throw fault(`“${cell.slice(0, 40)}” is not a number`);
      numbers.push(factor === '' ? number : { ...number, value: scaled(number.value, factor) });
    }
    const target = isVector ? 0 : row;
    if (rows[target] === undefined && before > 0) throw fault(`the columns before have only ${rows.length} rows`);
    if ((rows[target]?.length ?? 0) !== before && !isVector) throw fault('a row of the columns before is missing');
    const continued = rows[target];
    if (continued) for (const number of numbers) continued.push(number);
    else rows.push(numbers);
    row += 1;
  }
  if (isCut()) throw new ReadError('its last columns are missing', { line: firstLine + used, column: 1 });
  const shape = shapeOf(pages, order, isVector, size);
  if (typeof shape === 'string') throw new ReadError(shape, { line: firstLine, column: 1 });
  const numbers = inOrder(pages, order);
  if (!numbers) throw new ReadError(TOO_MANY);
  const notes = [...factors].map((times) => `Numbers below “${times} *” are multiplied by it.`);
  if (order === 'last' && pages.length > 1) notes.push(`The pages are read as an array ${shapeText(shape)}.`);
  return { name: name === 'ans' ? '' : name, shape, numbers, notes, lines: used };
}

/** Divides by powers of ten: 1.5 * 0.01 is not 0.015. */
function scaled(value: number, factor: string): number {
  const times = Number(factor);
  const inverse = Math.round(1 / times);
  return times < 1 && Math.abs(inverse * times - 1) < 1e-12 ? value / inverse : value * times;
}

/** The shape; a sentence if rows or pages are missing. */
function shapeOf(
  pages: readonly PageOf[],
  order: 'first' | 'last',
  isVector: boolean,
  size: readonly number[] | null,
): readonly number[] | string {
  const [first] = pages;
  if (!first || first.rows.length === 0) return 'it contains no numbers';
  const [rows, cols] = [first.rows.length, first.rows[0]?.length ?? 0];
  for (const [at, page] of pages.entries()) {
    const where = pages.length > 1 ? ` of page ${at + 1}` : '';
    if (page.rows.length !== rows) return `page ${at + 1} has ${page.rows.length} rows, but page 1 has ${rows}`;
    const odd = page.rows.findIndex((one) => one.length !== cols);
    if (odd !== -1) return `row ${odd + 1}${where} has ${page.rows[odd]?.length} numbers, but row 1 has ${cols}`;
  }
  const base = first.index;
  const counts = base.map((start, axis) => {
    const most = pages.reduce((largest, { index }) => Math.max(largest, index[axis] ?? 0), start);
    return most - start + 1;
  });
  const places = new Set(pages.map(({ index }) => index.join()));
  const isWhole = pages.every(
    ({ index }) => index.length === base.length && index.every((at, i) => at >= (base[i] ?? 0)),
  );
  if (base.some((start) => start > 1) || !isWhole || places.size !== pages.length || countOf(counts) !== pages.length) {
    return 'pages of this array are missing or occur twice';
  }
  const shape = order === 'first' ? [...counts, rows, cols] : [rows, cols, ...counts];
  const read = isVector ? [cols] : shape;
  if (!size) return read;
  const isSame = read.join() === size.join() || (size.length < 2 && Math.min(rows, cols) === 1 && pages.length === 1);
  if (isSame && countOf(size) === countOf(read)) return size;
  return `the text says ${shapeText(size)}, but has the numbers of ${shapeText(read)}`;
}

/** All numbers, the last axis fastest. */
function inOrder(pages: readonly PageOf[], order: 'first' | 'last'): NumberList | null {
  const numbers = new NumberList();
  const sorted = [...pages].sort((a, b) => {
    const axis = a.index.findIndex((at, i) => at !== b.index[i]);
    return (a.index[axis] ?? 0) - (b.index[axis] ?? 0);
  });
  const push = (number: NumberAt) => numbers.push(number);
  if (order === 'first') return sorted.every(({ rows }) => rows.flat().every(push)) ? numbers : null;
  const [first] = sorted;
  const isRead = first?.rows.every((cells, row) =>
    cells.every((_, col) => sorted.every(({ rows }) => push(rows[row]?.[col] ?? { value: 0, rounded: false, end: 0 }))),
  );
  return isRead ? numbers : null;
}

/** Rows of numbers within a text that has other lines, too. */

/** The lines from a position on, one at a time. */
function* linesFrom(text: string, from: number): Generator<string> {
  for (let at = from; at < text.length; ) {
    const end = text.indexOf('\n', at);
    yield text.slice(at, end === -1 ? undefined : end);
    if (end === -1) return;
    at = end + 1;
  }
}

export const restOfLine = ({ text, at }: Cursor): string => {
  const end = text.indexOf('\n', at);
  return text.slice(at, end === -1 ? undefined : end);
};

/** True at a line of numbers or of the print of a matrix. */
export function isAtRows(cursor: Cursor): boolean {
  const line = restOfLine(cursor).trim();
  if (isMatrixLine(line)) return true;
  if (line.startsWith('...')) return false;
  const first = numberAt(cursor.text, cursor.at);
  return first !== null && !/[\w(]/.test(cursor.text[first.end] ?? '');
}

export const isAtMatrix = ({ text, at }: Cursor): boolean => isMatrixPrint(linesFrom(text, at));

/** True at a single number, or at one that another statement follows: x = 5; y = 6 */
export function isAtOne(cursor: Cursor): boolean {
  const line = restOfLine(cursor)
    .replace(/#.*|\/\/.*/, '')
    .trim();
  if (!isNumbers(line.replace(/[;,]$/, ''), /[\s,]+/)) return true;
  if (numberAt(line, 0)?.end !== line.length) return /[;,]$/.test(line) && !/[\s,;]/.test(line.slice(0, -1));
  const [, below = ''] = linesFrom(cursor.text, cursor.at);
  return !isNumbers(below.trim(), SEPARATORS);
}

const SEPARATORS = /[\s,;]+/;

/** Reads rows of numbers. `isNamed`: a line above is their name. `firstLine`: for positions. */
export function readRows(cursor: Cursor, isNamed: boolean, firstLine: number): TextTable {
  const { text, at } = cursor;
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const whole = ' '.repeat(at - start) + restOfLine(cursor);
  const isMatrix = isAtMatrix(cursor);
  const isIndented = /\s/.test(text[start] ?? '');
  const lines: string[] = [];
  function* rows() {
    for (const line of linesFrom(text, start)) {
      const row = isIndented ? line.replace(/^\t+/, (tabs) => ' '.repeat(tabs.length)) : line;
      // A matrix knows its lines by itself.
      if (lines.length > 0 && !isMatrix && !isRow(row, whole)) return;
      lines.push(lines.length === 0 ? whole : row);
      yield lines.at(-1) ?? '';
    }
  }
  // MATLAB ends statements with ";".
  const plain = () =>
    [...rows()]
      .join('\n')
      .trimEnd()
      .replace(/;[^\S\n]*$/gm, '')
      .split('\n');
  const read = isMatrix ? readMatrix(rows(), firstLine) : readTable(plain(), firstLine, isNamed);
  cursor.at = Math.min(start + lines.slice(0, read.lines).join('\n').length, text.length);
  return read;
}

/** True of a row, or of an empty line between rows. A row with an error in it is one, so that the table names the error. */
function isRow(line: string, first: string): boolean {
  const trimmed = line.trim();
  if (trimmed === '' || trimmed.startsWith('#')) return true;
  if (/^(?:[^=:]*, )?dtype: \w+$|^\[\d+ rows x \d+ columns\]$/.test(trimmed)) return true;
  if (/^\d+:\s/.test(first.trim())) return /^\d+:\s/.test(trimmed);
  const number = numberAt(trimmed, 0);
  return number !== null && /[\s,;]/.test(trimmed[number.end] ?? ' ');
}
