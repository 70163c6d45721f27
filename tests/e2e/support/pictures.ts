import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodePng, type Pixels } from './png';

/** Compares pictures of components with stored ones. */

/** Stored pictures; with CONV2D_PICTURES=accept, new ones replace them. */
const STORED = join(import.meta.dirname, '../pictures');
/** Where pictures that differ are written. */
const REJECTED = join(import.meta.dirname, '../../../build/pictures');

const isAccepting = process.env['CONV2D_PICTURES'] === 'accept';

/** Largest difference of a color channel, of 255, that is no change: the rounding of blended colors. */
const SAME = 6;
/** Number of pixels that may differ: a few corners with other antialiasing. */
const TOLERATED = 8;

/** Why the pictures differ, or null. */
export function differenceOf(before: Pixels, now: Pixels): string | null {
  if (before.width !== now.width || before.height !== now.height)
    return `${now.width} × ${now.height} pixels, not ${before.width} × ${before.height}`;
  const count = countUnmatched(before, now) + countUnmatched(now, before);
  return count > TOLERATED ? `${count} pixels differ` : null;
}

/** Counts the pixels of `a` without one of their color in `b`, at the same position or beside it: antialiasing matters little. */
function countUnmatched(a: Pixels, b: Pixels): number {
  const { width, height } = a;
  let count = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (!isSame(a, b, x, y, x, y) && !hasNeighbor(a, b, x, y)) count += 1;
    }
  }
  return count;
}

function hasNeighbor(a: Pixels, b: Pixels, x: number, y: number): boolean {
  for (let row = Math.max(0, y - 1); row <= Math.min(a.height - 1, y + 1); row += 1) {
    for (let col = Math.max(0, x - 1); col <= Math.min(a.width - 1, x + 1); col += 1) {
      if (isSame(a, b, x, y, col, row)) return true;
    }
  }
  return false;
}

function isSame(a: Pixels, b: Pixels, x: number, y: number, col: number, row: number): boolean {
  const [from, to] = [3 * (y * a.width + x), 3 * (row * b.width + col)];
  for (let channel = 0; channel < 3; channel += 1) {
    if (Math.abs((a.rgb[from + channel] ?? 0) - (b.rgb[to + channel] ?? 0)) > SAME) return false;
  }
  return true;
}

/** Compares a picture with the stored one, or stores it. Returns what is wrong, or null. */
export function checkPicture(name: string, png: Buffer): string | null {
  const path = join(STORED, `${name}.png`);
  const stored = read(path);
  const difference = stored ? differenceOf(decodePng(stored), decodePng(png)) : 'no stored picture';
  if (difference === null) return null;
  const folder = isAccepting ? STORED : REJECTED;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.png`), png);
  return isAccepting ? null : `${name}: ${difference}; see build/pictures/${name}.png`;
}

/** Why the pictures cannot be compared, or null. */
export function checkFonts(widths: Readonly<Record<string, number>>): string | null {
  const path = join(STORED, 'fonts.txt');
  const now = JSON.stringify(widths);
  if (isAccepting) {
    mkdirSync(STORED, { recursive: true });
    writeFileSync(path, `${now}\n`);
  }
  const stored = read(path)?.toString().trim();
  return stored === now ? null : `the stored pictures have other fonts: widths ${stored}, here ${now}`;
}

function read(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
