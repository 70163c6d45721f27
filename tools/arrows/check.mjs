// Finds broken arrows in source text. Knows no file system, so that the self-test can hand it made-up files.

import { posix } from 'node:path';
import { cppRooms, webRooms } from './table.mjs';

/** The room that a file of the project lies in, or undefined: the longest folder of the table that holds it. */
function roomOf(path, rooms) {
  const folders = Object.keys(rooms).filter((folder) => path.startsWith(`${folder}/`));
  const folder = folders.sort((a, b) => b.length - a.length)[0];
  return folder && rooms[folder];
}

/** Broken arrows of one file as { path, line, message }. */
export function checkFile(path, text) {
  if (/\.(cpp|hpp)$/.test(path)) return checkCpp(path, text);
  return /\.(ts|tsx)$/.test(path) ? checkWeb(path, text) : [];
}

function verdict(path, line, room, target, written) {
  if (target === room.name || room.uses.includes(target)) return [];
  return [{ path, line, message: `${room.name} may not use ${target} ("${written}")` }];
}

function checkCpp(path, text) {
  const room = roomOf(path, cppRooms);
  if (!room) return [];
  return lines(text).flatMap(({ line, content }) => {
    const written = /^\s*#\s*include\s*[<"]([^>"]+)[>"]/.exec(content)?.[1];
    if (!written) return [];
    const target = cppTarget(path, written);
    if (target) return verdict(path, line, room, target, written);
    const outside = outsideFolder(written);
    if (!outside || room.packages?.includes(outside)) return [];
    return [{ path, line, message: `${room.name} may not use the package ${outside} ("${written}")` }];
  });
}

/** Headers of the standard library and the system have no folder, but for sys/ and the like, which no room forbids. */
function outsideFolder(written) {
  const [folder, rest] = written.split('/');
  const packages = Object.values(cppRooms).flatMap(({ packages: list = [] }) => list);
  if (rest === undefined) return /^wasm_simd128|intrin\.h$|^arm_neon/.test(written) ? 'xsimd' : undefined;
  return packages.includes(folder) ? folder : undefined;
}

function cppTarget(path, written) {
  if (written.startsWith('conv2d/')) return 'include';
  if (written.startsWith('.')) return roomOf(posix.join(posix.dirname(path), written), cppRooms)?.name;
  const [folder, rest] = written.split('/');
  return rest === undefined ? undefined : cppRooms[`cpp/src/${folder}`]?.name;
}

const importForms =
  /(?:^|[\s;}])(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

/** What a TypeScript file imports or exports from elsewhere, as { name, line }. */
export function webImports(text) {
  return [...text.matchAll(importForms)].map((match) => ({
    name: match[1] ?? match[2],
    line: text.slice(0, match.index + match[0].length).split('\n').length,
  }));
}

function checkWeb(path, text) {
  const room = roomOf(path, webRooms);
  if (!room) return [];
  return webImports(text).flatMap(({ name: written, line }) => {
    // The address of a worker's file brings nothing of what the file says.
    if (written.endsWith('?worker&url')) return [];
    if (written.startsWith('.')) {
      const target = roomOf(posix.join(posix.dirname(path), written), webRooms)?.name ?? 'what lies outside of web/src';
      return verdict(path, line, room, target, written);
    }
    if (room.packages?.some((name) => written === name || written.startsWith(`${name}/`))) return [];
    return [{ path, line, message: `${room.name} may not use the package "${written}"` }];
  });
}

function lines(text) {
  return text.split('\n').map((content, index) => ({ line: index + 1, content }));
}
