import { signal } from '@preact/signals';

/** Numbers as text, here and in quantities.ts only. Cells are short; text that can be copied or is announced is exact. */

export const MINUS = '\u2212';

interface CellFormat {
  /** Significant digits of a number that is not an integer. */
  readonly digits: number;
  /** Maximum number of characters, minus sign included. */
  readonly chars: number;
}

/** Integers without decimals, others with as many significant digits as fit; large or tiny numbers with k, M or an exponent. */
export function formatCell(value: number, format: CellFormat): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const bare = wholeOf(value, format.digits);
  if (bare !== null && bare.length <= format.chars) return bare;
  for (let digits = format.digits; digits > 1; digits -= 1) {
    const text = significant(value, digits);
    if (text.length <= format.chars) return text;
  }
  const shortest = significant(value, 1);
  return shortest.length <= format.chars ? shortest : signed(value, exponent(Math.abs(value), 1));
}

/** The same with exactly `digits` digits, unless fewer are exact: 0.11 is 0.11, and 0.1101 is 0.110. */
function formatDigits(value: number, digits: number, fits: (text: string) => boolean) {
  if (!Number.isFinite(value)) return notFinite(value);
  const bare = wholeOf(value, digits);
  if (bare !== null && fits(bare)) return bare;
  const text = significant(value, digits);
  const magnitude = Math.abs(value);
  const plain = magnitude >= 0.005 && magnitude < 10 ** digits;
  const exact = Math.fround(Number(text.replace(MINUS, '-'))) === Math.fround(value);
  return plain && !exact ? signed(value, magnitude.toPrecision(digits)) : text;
}

/** Keeps all digits before the point: 385.77 is 386, not 390. Null for a number that needs decimals. */
function wholeOf(value: number, digits: number) {
  const whole = Math.round(value);
  return whole === value || Math.abs(value) >= 10 ** digits ? signed(whole, Math.abs(whole).toString()) : null;
}

/** The shortest decimal that reads back as the same float32. */
export function formatExact(value: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const magnitude = Math.abs(value);
  for (let digits = 1; digits <= 9; digits += 1) {
    const candidate = Number(magnitude.toPrecision(digits));
    if (Math.fround(candidate) === Math.fround(magnitude)) return signed(value, withMinus(candidate.toString()));
  }
  return signed(value, withMinus(magnitude.toString()));
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** Ambiguous: 1,000 is a thousand or 1, depending on the locale. 0,125 is not ambiguous. */
const GROUPED = /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/;

/** Typed text with a hyphen for minus and a point for a decimal comma. Ambiguous digit groups keep their commas: not a number. */
export function plainText(text: string): string {
  const plain = text.trim().replaceAll(MINUS, '-');
  return GROUPED.test(plain) ? plain : plain.replace(',', '.');
}

export function parseNumber(text: string): number | null {
  const plain = plainText(text);
  const value = NUMBER.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(value) ? value : null;
}

/** Why typed text cannot be the value of a cell; null if it can. */
export function refusal(text: string): string | null {
  const plain = plainText(text);
  if (plain === '') return 'No value was entered. The cell is unchanged.';
  if (GROUPED.test(plain)) return `“${plain}” is ambiguous. Use a point before decimals and no thousands separators.`;
  if (!NUMBER.test(plain)) {
    return /^[+-]?(nan|inf(inity)?|∞)$/i.test(plain)
      ? `${plain} is not allowed. Enter a finite number.`
      : `“${plain}” is not a number. The cell is unchanged.`;
  }
  if (Number.isFinite(Math.fround(Number(plain)))) return null;
  return `${plain} is too large. The largest float32 is 3.4e38.`;
}

function significant(value: number, digits: number) {
  const magnitude = Math.abs(value);
  if (magnitude >= 999_500_000) return signed(value, exponent(magnitude, digits));
  if (magnitude >= 999_500) return signed(value, `${trim(magnitude / 1e6, digits)}M`);
  if (magnitude >= 999.5) return signed(value, `${trim(magnitude / 1e3, digits)}k`);
  if (magnitude !== 0 && magnitude < 0.005) return signed(value, exponent(magnitude, digits));
  return signed(value, trim(magnitude, digits));
}

const trim = (magnitude: number, digits: number) => Number(magnitude.toPrecision(digits)).toString();

function exponent(magnitude: number, digits: number) {
  const [mantissa = '', power = ''] = magnitude.toExponential(digits - 1).split('e');
  return `${Number(mantissa)}e${withMinus(power)}`;
}

/** -0 is written as 0. */
const signed = (value: number, magnitude: string) => (value < 0 && magnitude !== '0' ? MINUS + magnitude : magnitude);

const withMinus = (text: string) => text.replace('-', MINUS).replace('+', '');

/** Some values are hidden. NaN then stands for a hidden value; a real NaN (overflow) looks the same. */
export const hasHiddenValues = signal(false);

export function notFinite(value: number): string {
  if (Number.isNaN(value)) return hasHiddenValues.value ? '?' : 'NaN';
  return value > 0 ? '∞' : `${MINUS}∞`;
}

/** Least font size of values in CSS pixels: smaller ones are not written. A lecture sets it. */
export const leastFont = signal(0);

/** Least cell size with text, in CSS pixels. */
export const MIN_TEXT_CELL = 24;

/** Widths in em of DejaVu Sans and Verdana, the widest common system fonts. */
const WIDTHS: Readonly<Record<string, number>> = { [MINUS]: 0.838, '.': 0.343, M: 0.87, N: 0.75, '≈': 0.84, '∞': 1 };
const WIDTH = 0.636;

/** The border of a cell, and a pixel on both sides of the text. */
const AROUND = 3;
/** Text of small cells has at least this font size, where its width allows it. */
const SMALL = 12;

/** Largest preferred width of text, as a share of the cell size. */
const MAX_WIDTH_SHARE = 0.82;

/** Least font size in CSS pixels: a smaller one is not readable, and the color and a lens say more. */
const LEAST = 11;

/** Digits that are tried. `aligned`: decimals as the largest. */
const ATTEMPTS = [
  { digits: 3, aligned: false },
  { digits: 2, aligned: false },
  { digits: 2, aligned: true },
  { digits: 1, aligned: false },
] as const;

/** Smaller numbers are written with an exponent. */
const TINY = 0.005;
/** A nonzero number that is too small for the available digits. */
const ABOUT_ZERO = '≈0';

const widthOf = (text: string) => [...text].reduce((sum, sign) => sum + (WIDTHS[sign] ?? WIDTH), 0);

/**
 * The values of a grid as text: as many digits as fit its cells, the same number for all; empty where `values` has null, and all
 * empty if they do not fit. `font`: its size in CSS pixels.
 */
export function fitCellTexts(values: readonly (number | null)[], size: number) {
  const room = size - AROUND;
  const most = Math.max(SMALL, Math.min(22, size * 0.38));
  const largest = values.reduce<number>((max, value) => Math.max(max, Math.abs(value || 0)), 0);
  const least = Math.max(LEAST, leastFont.value);
  for (const { digits, aligned } of ATTEMPTS) {
    const fits = (text: string) => widthOf(text) * least <= room;
    const decimals = Math.max(0, Math.min(20, digits - 1 - Math.floor(Math.log10(largest))));
    const textOf = (value: number) => {
      const text = formatDigits(value, digits, fits);
      if (value === 0 || largest < TINY) return text;
      if (Math.abs(value) < TINY && !fits(text)) return ABOUT_ZERO;
      if (!aligned || text.replace(MINUS, '').length <= decimals + 2) return text;
      const short = Math.abs(value).toFixed(decimals);
      return Number(short) === 0 ? ABOUT_ZERO : (value < 0 ? MINUS : '') + short;
    };
    const texts = values.map((value) => (value === null ? '' : textOf(value)));
    if (!texts.every(fits)) continue;
    const widest = texts.reduce((wide, text) => Math.max(wide, widthOf(text)), 0.01);
    // A whole size, for sharp edges.
    return {
      texts,
      font: Math.floor(Math.min(most, room / widest, Math.max(least, (MAX_WIDTH_SHARE * size) / widest))),
    };
  }
  return { texts: values.map(() => ''), font: most };
}
