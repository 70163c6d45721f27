import { FILE_LIMITS } from '../protocol/file-limits';
import { cleaned } from './clean';
import { arrayHeader, type FileContents, opened, type Refused, refusedBecause } from './format';
import { isMatrixLine } from './matrix';
import { skipSpace } from './number-text';
import { Statements } from './statements';
import { readTable } from './table';

/** Reads pasted text or a text file: a table, or names and values as programs print them or have them in their source. */

const PROGRAM = /[[({<]|>>|#Nx|(?:In|Out) ?\[|[\p{L}_][\w.]*\s*(?:\(|=|:)/uy;
/** Brackets, names or an index anywhere: not a table. */
const HAS_VALUES = /[[({<=]|^[^\S\n]*-[^\S\n]|^[^\n"]*:[^\S\n]*$|^[^\S\n]*\d+:\s/m;
/** A name before a number: print("db", db). */
const NAMED = /^[^\S\n]*[\p{L}_][\w.]*[^\S\n]+[+\-\u2212\u2013]?\.?\d[\d.eE+-]*[^\S\n]*$/mu;

export function readText(text: string): FileContents | Refused {
  if (text.length > FILE_LIMITS.characters) {
    const most = FILE_LIMITS.characters.toLocaleString('en');
    return refusedBecause(
      `the text has ${text.length.toLocaleString('en')} characters; the limit is ${most}. Save large arrays as .npy`,
    );
  }
  const clean = cleaned(text);
  PROGRAM.lastIndex = skipSpace(clean, 0);
  if (PROGRAM.test(clean) || HAS_VALUES.test(clean) || NAMED.test(clean)) return new Statements(clean).contents();
  const lines = clean.split('\n');
  if (lines.some((line) => isMatrixLine(line.trim()))) return new Statements(clean).contents();
  const table = readTable(lines);
  if ('refusal' in table) return table;
  const { name, shape, numbers, notes } = table;
  const read = () => numbers.floats(0, numbers.length, numbers.rounded);
  return opened([arrayHeader(name, shape, 'decimal', read)], { notes });
}
