import { ReadError, shapeText, type TextPosition } from './format';
import { type NumberAt, NumberList, numberAt, TOO_MANY } from './number-text';

/** Reads rows of numbers from spreadsheets, CSV files, numpy.savetxt and pandas. A blank line begins a new block. */

export interface TextTable {
  /** The title of the only column or of the table, or ''. */
  readonly name: string;
  readonly shape: readonly number[];
  readonly numbers: NumberList;
  readonly notes: readonly string[];
  /** Count of the lines read. */
  readonly lines: number;
}

type Separator = '\t' | ';' | ',' | ' ';

const COUNTING = 'its first column counts the rows: it may be an index. Remove it, or print the values alone';
const COMPLEX = /^[+\-\u2212]?[\d.]+(?:[eE][+-]?\d+)?[+-][\d.]+(?:[eE][+-]?\d+)?[ij]$|^[\d.]+[ij]$/;

/** `firstLine`: of the text, for positions. `isNamed`: a line before the table is its name. */
export function readTable(lines: readonly string[], firstLine = 1, isNamed = false): TextTable {
  const notes: string[] = [];
  const separator = separatorOf(lines);
  const ambiguous = lines.some((line) => line.includes(',')) && ambiguousCell(lines, separator, firstLine);
  if (ambiguous) throw new ReadError(ambiguousText(ambiguous.cell), ambiguous.position);
  const decimalCommas = hasDecimalCommas(lines, separator);
  if (decimalCommas) notes.push('Commas are read as decimal points.');
  const labels = labelsOf(lines, separator, isNamed);
  if (typeof labels === 'string') throw new ReadError(labels, { line: firstLine, column: 1 });
  if (labels.column) notes.push('The first column has labels or counts the rows and was skipped.');
  if (labels.line !== null) {
    const is = /\d/.test(lines[labels.line] ?? '') ? 'has the titles of the columns' : 'has no numbers';
    notes.unshift(`Line ${firstLine + labels.line} ${is} and was skipped.`);
  }
  const numbers = new NumberList();
  const blocks: number[] = [];
  let cols = -1;
  let columnsLine = 0;
  let inBlock = false;
  let grouped = false;
  for (const [index, whole] of lines.entries()) {
    const line = whole.trim();
    if (line.startsWith('#') || index === labels.line || FOOTER.test(line)) continue;
    if (line.replace(/[\s,;]/g, '') === '') {
      inBlock = false;
      continue;
    }
    const cells = cellsOf(whole, separator).slice(labels.column ? 1 : 0);
    for (const [at, cell] of cells.entries()) {
      const number = readCell(cell, decimalCommas, separator);
      const position = () => ({ line: firstLine + index, column: columnOf(whole, separator, cell, at) });
      if (!number) throw new ReadError(cellFault(cell, at + 1), position());
      if (!numbers.push(number)) throw new ReadError(TOO_MANY, position());
      grouped ||= separator === ',' && cell.includes(',');
    }
    if (cols === -1) [cols, columnsLine] = [cells.length, firstLine + index];
    if (cells.length !== cols) {
      const has = cells.length === 1 ? '1 number' : `${cells.length} numbers`;
      const reason = `this line has ${has}, but line ${columnsLine} has ${cols}`;
      throw new ReadError(reason, { line: firstLine + index, column: 1 });
    }
    if (inBlock) blocks[blocks.length - 1] = (blocks.at(-1) ?? 0) + 1;
    else blocks.push(1);
    inBlock = true;
  }
  const [rows = 0] = blocks;
  if (cols === -1) throw new ReadError('it contains no numbers');
  const odd = blocks.findIndex((count) => count !== rows);
  if (odd !== -1) {
    throw new ReadError(
      `the blocks between blank lines differ: block 1 has ${rows} lines, block ${odd + 1} has ${blocks[odd]}`,
    );
  }
  const isSeries = labels.isSeries && blocks.length === 1 && cols === 1;
  const shape = isSeries ? [rows] : blocks.length === 1 ? [rows, cols] : [blocks.length, rows, cols];
  if (grouped) notes.push('Commas in quoted cells are read as separators of thousands.');
  if (blocks.length > 1) notes.push(`Blank lines separate blocks: ${shapeText(shape)}.`);
  return { name: labels.name, shape, numbers, notes, lines: lines.length };
}

/** Lines that pandas prints after the numbers. */
const FOOTER = /^(?:\[\d+ rows x \d+ columns\]|(?:(?:Name: \w+|Length: \d+), )*dtype: \w+)$/;

interface Labels {
  /** The line with the titles of columns. */
  readonly line: number | null;
  /** True if the first column is no data. */
  readonly column: boolean;
  readonly name: string;
  /** True of one axis: an index and a value on each line. */
  readonly isSeries: boolean;
}

/** The titles of columns and rows. A sentence if a column may be an index. */
function labelsOf(lines: readonly string[], separator: Separator, isNamed: boolean): Labels | string {
  const isData = (line: string) => line.trim() !== '' && !line.trim().startsWith('#') && !FOOTER.test(line.trim());
  const filled = lines.flatMap((line, index) => (isData(line) ? [index] : []));
  const [first = 0, ...below] = filled;
  const none: Labels = { line: null, column: false, name: '', isSeries: false };
  const titles = cellsOf(lines[first] ?? '', separator);
  const isNumber = (cell: string) => readCell(cell, true, separator) !== null;
  const firstOf = (row: number) => (lines[row] ?? '').trim().split(separator === ' ' ? /\s/ : separator, 1)[0] ?? '';
  const isSeries = lines.some((line) => /^(?:.*, )?dtype: \w+$/.test(line));
  if (isSeries || (titles[0] === '0:' && filled.every((row, index) => firstOf(row) === `${index}:`))) {
    return { ...none, column: true, isSeries: true };
  }
  const counts = (cells: readonly string[]) => cells.every((cell, index) => cell === String(index));
  const hasCorner = titles[0] === '' || /^"?(?:index|id|row)"?$/i.test(titles[0] ?? '');
  const others = hasCorner ? titles.slice(1) : titles;
  const areWords = titles.some((cell) => /\p{L}/u.test(cell)) && titles.every((cell) => !isNumber(cell));
  const areTitles = others.length > 0 && (counts(others) || others.every((cell) => cell !== '' && !isNumber(cell)));
  if (below.length === 0 || (!areWords && !areTitles)) return none;
  const width = cellsOf(lines[below[0] ?? 0] ?? '', separator).length;
  const isIndexed = hasCorner ? titles.length === width : titles.length === width - 1;
  if (isIndexed) {
    const isIndex = [0, 1].some((base) => below.every((row, index) => firstOf(row) === String(index + base)));
    const areLabels = below.every((row) => firstOf(row) !== '' && !isNumber(firstOf(row)));
    // A word above two columns may also be the name of both.
    if (!hasCorner && titles.length === 1 && !counts(titles) && isIndex) return COUNTING;
    if (areTitles && (isIndex || areLabels)) return { ...none, line: first, column: true };
    if (areWords && titles.length > 1 && !hasCorner) {
      return `its ${titles.length} titles are above ${width} columns. Remove the titles and a column that is no data`;
    }
    if (hasCorner && areWords) return COUNTING;
  }
  if (!areWords || isNamed) return none;
  const [only = ''] = titles;
  const isName = titles.length === 1 && /^[\p{L}_][\w.]*:?$/u.test(only);
  return { ...none, line: first, name: isName ? only.replace(/:$/, '') : '' };
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
function ambiguousCell(lines: readonly string[], separator: Separator, firstLine: number) {
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
      found ??= { cell, position: { line: firstLine + index, column: columnOf(line, separator, cell, at) } };
    }
  }
  if (separator === ',') return zeros && !decimals ? found : null;
  return points || !decimals ? found : null;
}

const QUOTED_CELLS = /"((?:[^"]|"")*)"|[^,]+|(?<=,)(?=,)|^(?=,)/g;

function cellsOf(line: string, separator: Separator): readonly string[] {
  if (separator === ' ') return line.trim().split(/\s+/);
  const quoted = line.includes('"');
  const split =
    quoted && separator === ','
      ? Array.from(line.matchAll(QUOTED_CELLS), ([whole, inside]) => inside ?? whole)
      : line.split(separator);
  const cells = split.map((cell) => (quoted ? cell.trim().replace(/^"(.*)"$/, '$1') : cell).trim());
  // numpy.savetxt and some spreadsheets end a line with a separator.
  if (cells.length > 1 && cells.at(-1) === '' && separator !== '\t') cells.pop();
  return cells;
}

function readCell(cell: string, decimalCommas: boolean, separator: Separator): NumberAt | null {
  // Only a quoted cell of a table with commas has commas; a point after them proves that they group digits.
  const isGrouped = separator === ',' && GROUPED.test(cell) && cell.includes('.');
  const plain = isGrouped ? cell.replaceAll(',', '') : decimalCommas ? cell.replace(',', '.') : cell;
  const number = numberAt(plain, 0);
  return number?.end === plain.length ? number : null;
}

function columnOf(line: string, separator: Separator, cell: string, index: number): number {
  if (separator === ' ' || index === 0) return line.indexOf(cell) + 1;
  return line.split(separator).slice(0, index).join(separator).length + 2;
}

function cellFault(cell: string, position: number): string {
  if (cell === '') return `cell ${position} of this line is empty`;
  if (/^(?:\.\.\.|…|⋯|⋮|⋱)/.test(cell)) return '“…” stands for numbers that were not printed: print all of them';
  if (COMPLEX.test(cell) || /^[ij]$/.test(cell)) return 'complex numbers are not supported';
  if (GROUPED.test(cell)) return ambiguousText(cell);
  return `“${cell.length > 40 ? `${cell.slice(0, 39)}…` : cell}” is not a number`;
}
