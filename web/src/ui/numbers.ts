import { signal } from '@preact/signals';

/**
 * Numbers as text, here and in quantities.ts and nowhere else above the rooms without a screen. A figure in a cell is short;
 * everything that a person may copy or that is read aloud is exact.
 */

export const MINUS = '\u2212';

export interface CellFormat {
  /** Significant digits of a number that is not an integer. */
  readonly digits: number;
  /** Characters that fit, the minus sign included. */
  readonly chars: number;
}

/** What fits a cell of `size` CSS pixels, or null where figures would be too small to read (the colour speaks there). */
export function cellFormat(size: number): CellFormat | null {
  if (size >= 40) return { digits: 3, chars: 6 };
  if (size >= 34) return { digits: 3, chars: 5 };
  if (size >= 24) return { digits: 2, chars: 4 };
  return null;
}

/** Integers bare, anything else to as many significant digits as fit; a large or tiny number with k, M or an exponent. */
export function formatCell(value: number, format: CellFormat): string {
  if (!Number.isFinite(value)) return notFinite(value);
  // Digits before the point are kept while they fit: 385.77 is 386 and never 390.
  const whole = Math.round(value);
  if (whole === value || Math.abs(value) >= 10 ** format.digits) {
    const bare = signed(whole, Math.abs(whole).toString());
    if (bare.length <= format.chars) return bare;
  }
  for (let digits = format.digits; digits > 1; digits -= 1) {
    const text = significant(value, digits);
    if (text.length <= format.chars) return text;
  }
  const shortest = significant(value, 1);
  return shortest.length <= format.chars ? shortest : signed(value, exponent(Math.abs(value), 1));
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
const plainText = (text: string): string => text.trim().replaceAll(MINUS, '-').replace(',', '.');

/** Reads what a person types into a cell or field; null while it is no finite number yet. */
export function parseNumber(text: string): number | null {
  const plain = plainText(text);
  const value = NUMBER.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(value) ? value : null;
}

/** Why what a person typed cannot be the value of a cell; null when it can. */
export function refusal(text: string): string | null {
  const plain = plainText(text);
  if (plain === '') return 'Nothing was typed, so the value stays as it was.';
  if (!NUMBER.test(plain)) {
    return /^[+-]?(nan|inf(inity)?|∞)$/i.test(plain)
      ? `${plain} cannot be a value here: only finite numbers can.`
      : `“${plain}” is not a number, so the value stays as it was.`;
  }
  if (Number.isFinite(Math.fround(Number(plain)))) return null;
  return `${plain} is too large: a float32 holds at most 3.4e38.`;
}

function significant(value: number, digits: number): string {
  const magnitude = Math.abs(value);
  if (magnitude >= 999_500_000) return signed(value, exponent(magnitude, digits));
  if (magnitude >= 999_500) return signed(value, `${trim(magnitude / 1e6, digits)}M`);
  if (magnitude >= 999.5) return signed(value, `${trim(magnitude / 1e3, digits)}k`);
  if (magnitude !== 0 && magnitude < 0.005) return signed(value, exponent(magnitude, digits));
  return signed(value, trim(magnitude, digits));
}

function trim(magnitude: number, digits: number): string {
  return Number(magnitude.toPrecision(digits)).toString();
}

function exponent(magnitude: number, digits: number): string {
  const [mantissa = '', power = ''] = magnitude.toExponential(digits - 1).split('e');
  return `${Number(mantissa)}e${withMinus(power)}`;
}

/** -0 is written 0: the sign of a zero says nothing to a reader. */
function signed(value: number, magnitude: string): string {
  return value < 0 && magnitude !== '0' ? MINUS + magnitude : magnitude;
}

function withMinus(text: string): string {
  return text.replace('-', MINUS).replace('+', '');
}

/**
 * Something is hidden, and a NaN is a number that is not told. Where numbers are hidden, one that is none (an overflow)
 * looks the same: nothing on the page can tell them apart.
 */
export const hiding = signal(false);

export function notFinite(value: number): string {
  if (Number.isNaN(value)) return hiding.value ? '?' : 'NaN';
  return value > 0 ? '∞' : `${MINUS}∞`;
}
