import { refuse } from '../../formats/format';
import { isProblemFile, type ProblemFile, readProblemFile } from '../../link/problem-file';
import type { Numbers } from './numbers';
import { readBeside } from './read-beside';

export { NumbersSheet } from './NumbersSheet';

/** What somebody brought is a whole problem. */
export interface Whole {
  readonly file: ProblemFile;
}

export async function openNumbers(name: string, from: Blob | string, at: Numbers['at']): Promise<Numbers | Whole> {
  if (typeof from !== 'string' && (await isProblemFile(from).catch(() => false))) {
    const file = await readProblemFile(from).catch(() => 'it could not be read');
    return typeof file === 'string' ? { name, at, opened: refuse(file), end: () => undefined } : { file };
  }
  return { name, at, ...(await readBeside(name, from)) };
}
