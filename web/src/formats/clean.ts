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

export function cleaned(text: string): string {
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
