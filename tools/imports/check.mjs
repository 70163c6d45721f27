// Finds forbidden includes and imports in source text, and import cycles among files, type imports included. Reads no files, so the
// self-test can pass examples.

import { posix } from 'node:path';
import { cppRooms, webRooms } from './table.mjs';

/** The room of a project file: that of the longest folder of the table that contains it. Undefined if there is none. */
function roomOf(path, rooms) {
  const folders = Object.keys(rooms).filter((folder) => path === folder || path.startsWith(`${folder}/`));
  const folder = folders.sort((a, b) => b.length - a.length)[0];
  return folder && rooms[folder];
}

/** Forbidden imports of one file as { path, line, message }. */
export function checkFile(path, text) {
  if (/\.(cpp|hpp)$/.test(path)) return checkCpp(path, text);
  return /\.(ts|tsx)$/.test(path) ? checkWeb(path, text) : [];
}

function violation(path, line, room, target, written) {
  if (target === room.name || room.uses.includes(target)) return [];
  return [{ path, line, message: `${room.name} may not use ${target} ("${written}")` }];
}

function checkCpp(path, text) {
  const room = roomOf(path, cppRooms);
  if (!room) return [];
  const folder = sourceFolder(path);
  if (folder && !(folder in cppRooms))
    return [{ path, line: 1, message: `${folder} is not in tools/imports/table.mjs` }];
  return lines(text).flatMap(({ line, content }) => {
    const [, quote, written] = /^\s*#\s*include\s*([<"])([^>"]+)[>"]/.exec(content) ?? [];
    if (!written) return [];
    const target = cppTarget(path, written);
    if (target) return violation(path, line, room, target, written);
    if (folder && quote === '"') return [{ path, line, message: `"${written}" is in no folder of cpp/src` }];
    const outside = outsideFolder(written);
    if (!outside || room.packages?.includes(outside)) return [];
    return [{ path, line, message: `${room.name} may not use the package ${outside} ("${written}")` }];
  });
}

/** The folder of cpp/src that contains the file. Undefined for other files and for those directly in cpp/src. */
const sourceFolder = (path) => /^cpp\/src\/[^/]+(?=\/)/.exec(path)?.[0];

/**
 * Headers of the standard library and the system have no folder, except sys/ and the like, which every room may use.
 */
function outsideFolder(written) {
  const [folder, rest] = written.split('/');
  const packages = Object.values(cppRooms).flatMap(({ packages: list = [] }) => list);
  if (rest === undefined) return /^wasm_simd128|\wintrin\.h$|^arm_neon/.test(written) ? 'xsimd' : undefined;
  return packages.includes(folder) ? folder : undefined;
}

function cppTarget(path, written) {
  if (written.startsWith('conv2d/')) return 'include';
  if (written.startsWith('conv2d_teach/')) return 'teach';
  if (written.startsWith('conv2d_check/')) return 'checks';
  if (written.startsWith('.')) return roomOf(posix.join(posix.dirname(path), written), cppRooms)?.name;
  const [folder, rest] = written.split('/');
  return rest === undefined ? undefined : cppRooms[`cpp/src/${folder}`]?.name;
}

const importForms =
  /(?:^|[\s;}])(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

/** The imports and re-exports of a TypeScript file, as { name, line }. */
function webImports(text) {
  return [...text.matchAll(importForms)].map((match) => ({
    name: match[1] ?? match[2],
    line: text.slice(0, match.index + match[0].length).split('\n').length,
  }));
}

function checkWeb(path, text) {
  const room = roomOf(path, webRooms);
  if (!room) return [];
  return webImports(text).flatMap(({ name: written, line }) => {
    // `?worker&url` imports only the address of a file.
    if (written.endsWith('?worker&url')) return [];
    if (written.startsWith('.')) {
      // `?url` imports the address of a file, and `?raw` its text.
      const file = posix.join(posix.dirname(path), written.replace(/\?\w+$/, ''));
      const target = roomOf(file, webRooms)?.name ?? 'files outside web/src';
      return violation(path, line, room, target, written);
    }
    if (room.packages?.some((name) => written === name || written.startsWith(`${name}/`))) return [];
    return [{ path, line, message: `${room.name} may not use the package "${written}"` }];
  });
}

function lines(text) {
  return text.split('\n').map((content, index) => ({ line: index + 1, content }));
}

/** The paths in cpp/src of a file name that an earlier path has: a backtrace shows only the name. */
export function repeatedNames(paths) {
  const sources = paths.filter((path) => /^cpp\/src\/.*\.[ch]pp$/.test(path));
  const names = sources.map((path) => posix.basename(path));
  return sources.filter((_, index) => names.indexOf(names[index]) < index);
}

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
