// Finds import cycles among files, type imports included. Reads no files, like check.mjs.

import { posix } from 'node:path';
import { webImports } from './check.mjs';

const EXTENSIONS = ['.ts', '.tsx', ''];

/**
 * Cycles among files, given as { path: text }: each once, as a list of paths that starts and ends with the same one.
 */
export function findCycles(files) {
  const imports = new Map(Object.entries(files).map(([path, text]) => [path, targets(path, text, files)]));
  const cycles = [];
  // 'open': on the path to the current file; 'done': everything it imports has been visited.
  const state = new Map();
  const trail = [];
  const visit = (path) => {
    state.set(path, 'open');
    trail.push(path);
    for (const next of imports.get(path)) {
      if (state.get(next) === 'open') cycles.push([...trail.slice(trail.indexOf(next)), next]);
      else if (!state.has(next)) visit(next);
    }
    trail.pop();
    state.set(path, 'done');
  };
  for (const path of imports.keys()) if (!state.has(path)) visit(path);
  return cycles;
}

function targets(path, text, files) {
  const written = webImports(text).filter(({ name }) => name.startsWith('.'));
  const found = written.map(({ name }) => {
    const target = posix.join(posix.dirname(path), name);
    return EXTENSIONS.map((extension) => target + extension).find((candidate) => Object.hasOwn(files, candidate));
  });
  return [...new Set(found.filter(Boolean))];
}
