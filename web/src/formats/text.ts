import { FILE_LIMITS } from '../protocol/file-limits';
import { arrayHeader, type Contents, opened, ReadError } from './format';
import { Literals } from './literal';
import { isMatrixLine } from './matrix';
import { skipSpace } from './number-text';
import { Collector, caseOf, readCase } from './records';

import { Statements } from './statements';
import { readTable } from './table';

/** Reads pasted text or a text file: a table, or names and values as programs print them or have them in their source. */

const PROGRAM = /[[({<]|>>|#Nx|(?:In|Out) ?\[|[\p{L}_][\w.]*\s*(?:\(|=|:)/uy;
/** Brackets, names or an index anywhere: not a table. */
const HAS_VALUES = /[[({<=]|^[^\S\n]*-[^\S\n]|^[^\n"]*:[^\S\n]*$|^[^\S\n]*\d+:\s/m;
/** A name before a number: print("db", db). */
const NAMED = /^[^\S\n]*[\p{L}_][\w.]*[^\S\n]+[+\-\u2212\u2013]?\.?\d[\d.eE+-]*[^\S\n]*$/mu;

export function readText(text: string): Contents {
  if (text.length > FILE_LIMITS.characters) {
    const most = FILE_LIMITS.characters.toLocaleString('en');
    throw new ReadError(
      `the text has ${text.length.toLocaleString('en')} characters; the limit is ${most}. Save large arrays as .npy`,
    );
  }
  const clean = cleaned(text);
  PROGRAM.lastIndex = skipSpace(clean, 0);
  if (PROGRAM.test(clean) || HAS_VALUES.test(clean) || NAMED.test(clean)) return new Statements(clean).contents();
  const lines = clean.split('\n');
  if (lines.some((line) => isMatrixLine(line.trim()))) return new Statements(clean).contents();
  const { name, shape, numbers, notes } = readTable(lines);
  return opened([arrayHeader(name, shape, 'decimal', () => numbers.floats())], { notes });
}

/** Reads lists of numbers, named tensors, or a case file. */
export function readJson(text: string): Contents {
  const literals = new Literals(text);
  const value = literals.literal();
  if (literals.more()) throw literals.fault('there is more text after the JSON value');
  const record = caseOf(value);
  if (record) return readCase(record, literals);
  if (value.kind === 'record' && value.entries.has('weightsManifest')) throw new ReadError(NO_WEIGHTS);
  const found = new Collector(literals);
  found.add('', value);
  return opened(found.tensors, { notes: found.notes, given: found.given });
}

const NO_WEIGHTS =
  'this is a TensorFlow.js model; its weights are in .bin files. Load it and paste JSON.stringify(w.arraySync())';
/**
 * Replaces marks around values by as many spaces, so that positions in the text stay: fences of Markdown, prompts that continue a
 * line, comments of MATLAB, marks of quotations and frames, LaTeX.
 */

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
const padded = (by: string) => (text: string) => by + ' '.repeat(text.length - by.length);

const ALWAYS: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/\r(?=\n)/g, () => ' '],
  [/\r/g, () => '\n'],
  [/^#define[^\S\n]+\w+[^\S\n]+(?=[{[])/gm, (text) => `${text.slice(8).trimEnd()} =`.padEnd(text.length)],
  // Python continues a line; Chrome marks a value that can be opened.
  [/(?<==[^\S\n]{0,9})\\(?=\n)/g, () => ' '],
  [/^[^\S\n]*[▶▼▸▾]/gm, blank],
  [/^[^\S\n]*(?:\[\[Prototype\]\]|buffer): \w+(?:\(\d+\))?[^\S\n]*$/gm, blank],
  [/^[^\S\n]*(?:```|~~~)[^\n`]*$/gm, blank],
  [/[\u200b\u200e\u200f\u2060]/g, () => ' '],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colors of a terminal
  [/\u001b\[[\d;]*m/g, blank],
];

function cleaned(text: string): string {
  let clean = text;
  const replace = (pattern: RegExp, by: (text: string) => string) => {
    clean = clean.replace(pattern, by);
  };
  for (const [pattern, by] of ALWAYS) replace(pattern, by);
  // A quotation in Markdown or a mail: every line begins with ">".
  if (/^> ?[^>]/.test(clean) && !/^(?!>(?!>))[^\n]+$/m.test(clean)) replace(/^> ?/gm, blank);
  // Python
  if (/^[^\S\n]*>>> /m.test(clean)) replace(/^[^\S\n]*\.\.\.(?: |$)/gm, blank);
  if (/^In ?\[/m.test(clean)) replace(/^ +\.{3,}: ?/gm, blank);
  // MATLAB: not "%" of Python, which is an operator.
  replace(/(?:^|;)[^\S\n]*%(?=[%\s])[^\n]*/gm, (part) => (part.startsWith(';') ? padded(';')(part) : blank(part)));
  // Frames of nalgebra
  if (/[│]/.test(clean) && !/[┆├┼╞]/.test(clean)) replace(/[┌┐└┘│]/g, blank);
  if (/\\begin\{/.test(clean)) {
    replace(/\\begin\{(?:[bpvBV]?matrix|array)\}(?:\{[clr|]*\})?/g, padded('['));
    replace(/\\end\{(?:[bpvBV]?matrix|array)\}/g, padded(']'));
    replace(/\\\\(?=\s*\])/g, blank);
    replace(/\\\\/g, padded(';'));
    replace(/&/g, padded(','));
    replace(/\$\$?|\\\[|\\\]|\\(?:left|right)[[\]().|]?/g, blank);
  }
  return clean;
}
