import { signal } from '@preact/signals';

/**
 * Numbers as text. UI code formats numbers only here and in quantities.ts. The text of a cell is short; text that can be copied
 * or that a screen reader announces is exact.
 */

export const MINUS = '\u2212';

export interface CellFormat {
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
export function formatDigits(value: number, digits: number, fits: (text: string) => boolean): string {
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
function wholeOf(value: number, digits: number): string | null {
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

/** Parses typed text; null if it is not a finite number. */
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

/** -0 is written as 0. */
function signed(value: number, magnitude: string): string {
  return value < 0 && magnitude !== '0' ? MINUS + magnitude : magnitude;
}

function withMinus(text: string): string {
  return text.replace('-', MINUS).replace('+', '');
}

/** Some values are hidden. NaN then stands for a hidden value; a real NaN (overflow) looks the same. */
export const hasHiddenValues = signal(false);

export function notFinite(value: number): string {
  if (Number.isNaN(value)) return hasHiddenValues.value ? '?' : 'NaN';
  return value > 0 ? '∞' : `${MINUS}∞`;
}
