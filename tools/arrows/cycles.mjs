// Finds files that import each other in a circle, types included. Knows no file system, as check.mjs.

import { posix } from 'node:path';
import { webImports } from './check.mjs';

const EXTENSIONS = ['.ts', '.tsx', ''];

/** Circles among files, given as { path: text }: each once, as a list of paths that begins and ends with the same one. */
export function findCycles(files) {
  const arrows = new Map(Object.entries(files).map(([path, text]) => [path, targets(path, text, files)]));
  const circles = [];
  // 'open': above the file that is looked at; 'done': all that it leads to has been seen.
  const state = new Map();
  const trail = [];
  const visit = (path) => {
    state.set(path, 'open');
    trail.push(path);
    for (const next of arrows.get(path)) {
      if (state.get(next) === 'open') circles.push([...trail.slice(trail.indexOf(next)), next]);
      else if (!state.has(next)) visit(next);
    }
    trail.pop();
    state.set(path, 'done');
  };
  for (const path of arrows.keys()) if (!state.has(path)) visit(path);
  return circles;
}

function targets(path, text, files) {
  const written = webImports(text).filter(({ name }) => name.startsWith('.'));
  const found = written.map(({ name }) => {
    const target = posix.join(posix.dirname(path), name);
    return EXTENSIONS.map((extension) => target + extension).find((candidate) => Object.hasOwn(files, candidate));
  });
  return [...new Set(found.filter(Boolean))];
}
