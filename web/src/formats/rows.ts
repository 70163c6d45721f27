import type { Cursor } from './cursor';
import type { Refused } from './format';
import { isMatrixLine, isMatrixPrint, isNumbers, readMatrix } from './matrix';
import { numberAt } from './number-text';
import { readTable, type TextTable } from './table';

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
export function readRows(cursor: Cursor, isNamed: boolean, firstLine: number): TextTable | Refused {
  const { text, at } = cursor;
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const whole = ' '.repeat(at - start) + restOfLine(cursor);
  const isMatrix = isAtMatrix(cursor);
  const isIndented = /\s/.test(text[start] ?? '');
  const lines: string[] = [];
  for (const line of linesFrom(text, start)) {
    const row =
      lines.length === 0 ? whole : isIndented ? line.replace(/^\t+/, (tabs) => ' '.repeat(tabs.length)) : line;
    if (lines.length > 0 && !isMatrix && !isRow(row, whole)) break;
    if (
      isMatrix &&
      lines.length > 0 &&
      row.trim() !== '' &&
      !isMatrixPrint([row]) &&
      !isNumbers(row) &&
      !/[…⋮⋱⋯]/.test(row)
    )
      break;
    lines.push(row);
  }
  if (!isMatrix) while (lines.at(-1)?.trim() === '') lines.pop();
  // MATLAB ends statements with ";".
  const read = isMatrix
    ? readMatrix(lines, firstLine)
    : readTable(
        lines.map((line) => line.replace(/;\s*$/, '')),
        firstLine,
        isNamed,
      );
  if ('refusal' in read) return read;
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
