import { basename, dirname } from 'node:path';

/** Files that are judged together, with the name that they have in the output. */
export interface FileSet {
  readonly name: string;
  readonly paths: readonly string[];
}

const isNpy = (path: string): boolean => path.toLowerCase().endsWith('.npy');

/** Each file is a set of its own, except .npy files: those are one set; if a name occurs twice, one for each folder. */
export function fileSets(paths: readonly string[]): readonly FileSet[] {
  const arrays = paths.filter(isNpy);
  const repeats = new Set(arrays.map((path) => basename(path))).size < arrays.length;
  const keyOf = (path: string): string => (repeats ? dirname(path) : '');
  const sets = new Map<string, string[]>();
  for (const [index, path] of paths.entries()) {
    const key = isNpy(path) ? `npy ${keyOf(path)}` : String(index);
    sets.set(key, [...(sets.get(key) ?? []), path]);
  }
  return [...sets.values()].map((each) => ({ name: each.join(' '), paths: each }));
}
