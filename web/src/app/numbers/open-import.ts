import { refuse } from '../../formats/format';
import { isProblemFile, type ProblemFile, readProblemFile } from '../../link/problem-file';
import { type OpenedArrays, readInWorker } from './opened-arrays';

export { ImportSheet } from './ImportSheet';

export interface WholeProblem {
  readonly file: ProblemFile & { readonly name: string };
}

export async function openImport(
  from: readonly File[] | string,
  at: OpenedArrays['at'],
): Promise<OpenedArrays | WholeProblem> {
  if (typeof from === 'string') return { name: '', at, ...(await readInWorker(from)) };
  const [first, ...others] = from;
  const name = others.length > 0 ? `${from.length} files` : (first?.name ?? '');
  if (first && others.length === 0 && (await isProblemFile(first).catch(() => false))) {
    const file = await readProblemFile(first).catch(() => 'it could not be read');
    return typeof file === 'string'
      ? { name, at, opened: refuse(file), end: () => undefined }
      : { file: { ...file, name } };
  }
  return { name, at, ...(await readInWorker(from)) };
}
