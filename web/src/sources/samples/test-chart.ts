import { length, ramp } from './blend';
import type { Painter, Rgb } from './painter';

/** A test chart: edges of every direction and many widths, letters, gray steps and plain colors. */

const WHITE: Rgb = [0.96, 0.96, 0.94];
const INK: Rgb = [0.08, 0.09, 0.12];

const LETTERS: Readonly<Record<string, readonly string[]>> = {
  C: ['.###', '#...', '#...', '#...', '.###'],
  O: ['.##.', '#..#', '#..#', '#..#', '.##.'],
  N: ['#..#', '##.#', '#.##', '#..#', '#..#'],
  V: ['#..#', '#..#', '#..#', '.##.', '.##.'],
  '2': ['###.', '...#', '.##.', '#...', '####'],
  D: ['###.', '#..#', '#..#', '#..#', '###.'],
};
const WORD = 'CONV2D';
const LETTER_WIDTH = 5;

const COLORS: readonly Rgb[] = [
  [0.85, 0.2, 0.18],
  [0.95, 0.62, 0.14],
  [0.93, 0.86, 0.25],
  [0.27, 0.62, 0.3],
  [0.18, 0.45, 0.75],
  [0.45, 0.27, 0.6],
];
const GRAYS = 8;

const gray = (value: number): Rgb => [value, value, value];
const ink = (dark: boolean): Rgb => (dark ? INK : WHITE);

export const testChart: Painter = (u) => (v) => {
  if (u < 0.04 || u > 0.96 || v < 0.04 || v > 0.96) return ink((Math.floor(u * 25) + Math.floor(v * 25)) % 2 !== 0);
  if (v < 0.26) return word((u - 0.1) / 0.8, (v - 0.08) / 0.15);
  if (v < 0.72) return u < 0.5 ? star(u - 0.28, v - 0.49) : rings(u - 0.73, v - 0.49);
  if (v < 0.83) return stripes(u);
  const place = (u - 0.04) / 0.92;
  if (v < 0.9) return gray(Math.floor(place * GRAYS) / (GRAYS - 1));
  return COLORS[Math.floor(place * COLORS.length)] ?? INK;
};

function word(x: number, y: number): Rgb {
  if (x < 0 || x >= 1 || y < 0 || y >= 1) return WHITE;
  const column = Math.floor(x * WORD.length * LETTER_WIDTH);
  const letter = LETTERS[WORD[Math.floor(column / LETTER_WIDTH)] ?? ''];
  return ink(letter?.[Math.floor(y * 5)]?.[column % LETTER_WIDTH] === '#');
}

/** Siemens star: edges of every direction, finer towards the middle. */
function star(x: number, y: number): Rgb {
  const distance = length(x, y);
  if (distance > 0.2) return WHITE;
  const wave = Math.sin(Math.atan2(y, x) * 18);
  const edge = 0.04 / Math.max(distance * 18, 0.1);
  return gray(0.08 + 0.88 * ramp(-edge, edge, wave));
}

/** Zone plate: rings, finer outwards. */
function rings(x: number, y: number): Rgb {
  const distance = length(x, y);
  if (distance > 0.2) return WHITE;
  return gray(0.52 + 0.44 * Math.cos(distance * distance * 900));
}

/** Bars of growing frequency. */
const stripes = (u: number): Rgb => ink(Math.floor(6 * (2 ** (4 * u) - 1)) % 2 === 0);
