import { refusedBecause } from '../../formats/format';
import { isProblemFile, type ProblemFile, readProblemFile } from '../../link/problem-file';
import { type OpenedArrays, readInWorker } from './opened-arrays';

export { ImportSheet } from './ImportSheet';

export interface WholeProblem {
  readonly file: ProblemFile & { readonly name: string };
}

/** A list of numbers as printed by a program: with a bracket, or after a name. */
const PROGRAM = /^\s*(?:>>>|(?:In|Out) ?\[|Parameter containing:|[\w.]+\s*[=:(]\s*[\w.]*\(?[[({\d.+-]|[[({<])/;

/** Whether pasted text is an array, not a sentence: in the lines with digits, no more words than numbers. */
export function looksLikeNumbers(text: string): boolean {
  if (!/\d/.test(text)) return false;
  if (PROGRAM.test(text)) return true;
  const lines = text.slice(0, MOST_LOOKED_AT).split(/[\r\n]+/);
  const rows = lines.filter((line) => /\d/.test(line)).join(' ');
  const words = rows.match(/\p{L}{2,}/gu)?.filter((word) => !/^(nan|inf|infinity)$/i.test(word)) ?? [];
  return words.length <= (rows.match(/\d[\d.,]*/g)?.length ?? 0);
}

/** Characters. */
const MOST_LOOKED_AT = 4096;

/** Null: pasted text that is no array. */
export async function openImport(
  from: readonly File[] | string,
  at: OpenedArrays['at'],
): Promise<OpenedArrays | WholeProblem | null> {
  if (typeof from === 'string' && !looksLikeNumbers(from)) return null;
  if (typeof from === 'string') return { name: '', at, ...(await readInWorker(from)) };
  const [first, ...others] = from;
  const name = others.length > 0 ? `${from.length} files` : (first?.name ?? '');
  if (first && others.length === 0 && (await isProblemFile(first).catch(() => false))) {
    const file = await readProblemFile(first).catch(() => 'it could not be read');
    return typeof file === 'string'
      ? { name, at, opened: refusedBecause(file), end: () => undefined }
      : { file: { ...file, name } };
  }
  return { name, at, ...(await readInWorker(from)) };
}
