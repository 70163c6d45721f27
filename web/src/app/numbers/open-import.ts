import { refuse } from '../../formats/format';
import { isProblemFile, type ProblemFile, readProblemFile } from '../../link/problem-file';
import { type OpenedArrays, readInWorker } from './opened-arrays';

export { ImportSheet } from './ImportSheet';

/** A file with a whole problem. */
export interface WholeProblem {
  readonly file: ProblemFile;
}

export async function openImport(
  name: string,
  from: Blob | string,
  at: OpenedArrays['at'],
): Promise<OpenedArrays | WholeProblem> {
  if (typeof from !== 'string' && (await isProblemFile(from).catch(() => false))) {
    const file = await readProblemFile(from).catch(() => 'it could not be read');
    return typeof file === 'string' ? { name, at, opened: refuse(file), end: () => undefined } : { file };
  }
  return { name, at, ...(await readInWorker(name, from)) };
}
