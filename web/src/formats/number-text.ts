import { FILE_LIMITS } from '../protocol/file-limits';
import type { PrecisionLoss, TextPosition } from './format';

/** Numbers as written by people, spreadsheets and programs. */

const WORDS: Readonly<Record<string, number>> = {
  ...{ nan: Number.NaN, inf: Number.POSITIVE_INFINITY, infinity: Number.POSITIVE_INFINITY },
  ...{ true: 1, false: 0 },
};

export interface NumberAt {
  readonly value: number;
  /** True if float32 does not represent it as written. */
  readonly rounded: boolean;
  /** Index after its last character. */
  readonly end: number;
}

/** Also the minus sign and the dash of typeset text. */
const DECIMAL = /([+\-\u2212\u2013]?)(\d+\.?\d*|\.\d+)(?:[eE]([+\-\u2212\u2013]?\d+))?/y;
const WORD = /([+\-\u2212\u2013]?)(?:(?:np|numpy|torch|math|jnp|tf)\.)?(nan|inf|infinity|true|false)(?![\w.(])/iy;

export function numberAt(text: string, at: number): NumberAt | null {
  const small = smallAt(text, at);
  if (small) return small;
  DECIMAL.lastIndex = at;
  const match = DECIMAL.exec(text);
  if (!match) return wordAt(text, at);
  const [, sign = '', digits = '', exponent] = match;
  const size = Number(exponent === undefined ? digits : `${digits}e${exponent.replace(/[\u2212\u2013]/, '-')}`);
  const value = sign === '' || sign === '+' ? size : -size;
  return { value, rounded: isRounded(value, digits, exponent), end: DECIMAL.lastIndex };
}

/** Fast path for whole numbers of up to seven digits: four times as fast as a regular expression. */
function smallAt(text: string, at: number): NumberAt | null {
  const negative = text.charCodeAt(at) === 45;
  const first = negative ? at + 1 : at;
  let value = 0;
  let end = first;
  let code = text.charCodeAt(end);
  while (code >= 48 && code <= 57 && end - first < 8) {
    value = value * 10 + code - 48;
    end += 1;
    code = text.charCodeAt(end);
  }
  // Not a whole number if a point or an exponent follows.
  if (end === first || end - first === 8 || code === 46 || code === 69 || code === 101) return null;
  return { value: negative ? -value : value, rounded: false, end };
}

/**
 * Nine digits identify every float32, so a decimal fraction of up to nine digits, such as 0.1, does not count as
 * rounded. Whole numbers and numbers with more digits must be exact.
 */
function isRounded(value: number, digits: string, exponent: string | undefined): boolean {
  if (Math.fround(value) === value) return false;
  if (!Number.isFinite(Math.fround(value))) return true;
  if (digits.length > 10 && digits.replace('.', '').replace(/^0+/, '').length > 9) return true;
  return exponent === undefined && !digits.includes('.');
}

function wordAt(text: string, at: number): NumberAt | null {
  WORD.lastIndex = at;
  const match = WORD.exec(text);
  if (!match) return null;
  const size = WORDS[(match[2] ?? '').toLowerCase()] ?? 0;
  const value = match[1] === '' || match[1] === '+' ? size : -size;
  return { value, rounded: false, end: WORD.lastIndex };
}

/** The shortest text that gives this float32 back, also when it is read as float64 first. */
export function floatText(value: number): string {
  // Python reads -0 as the integer 0.
  if (Object.is(value, -0)) return '-0.0';
  if (!Number.isFinite(value) || Number.isInteger(value)) return String(value);
  for (const digits of [6, 7, 8]) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(Number(value.toPrecision(9)));
}

export const TOO_MANY = `there are more than ${FILE_LIMITS.elements.toLocaleString('en')} numbers, which is the limit`;

/** A growing list of numbers with a limit. */
export class NumberList {
  length = 0;
  private data = new Float64Array(256);
  /** 1 for a number that float32 does not represent as written. */
  private rounded = new Uint8Array(256);

  /** False if the list is full. */
  push({ value, rounded }: Pick<NumberAt, 'value' | 'rounded'>): boolean {
    if (this.length === FILE_LIMITS.elements) return false;
    if (this.length === this.data.length) {
      const [data, flags] = [this.data, this.rounded];
      this.data = new Float64Array(this.length * 2);
      this.rounded = new Uint8Array(this.length * 2);
      this.data.set(data);
      this.rounded.set(flags);
    }
    this.data[this.length] = value;
    this.rounded[this.length] = Number(rounded);
    this.length += 1;
    return true;
  }

  at(index: number): number {
    return this.data[index] ?? 0;
  }

  /** A range as a list: the sizes of a shape. */
  list(from: number, to: number): readonly number[] {
    return Array.from(this.data.subarray(from, to));
  }

  /** Replaces all numbers from `start` on by those of a range. */
  keep(start: number, from: number, to: number): void {
    this.data.copyWithin(start, from, to);
    this.rounded.copyWithin(start, from, to);
    this.length = start + to - from;
  }

  /** Negates a range. 0 stays 0: Python has no integer -0. */
  negate(from: number, to: number): void {
    for (let index = from; index < to; index += 1) this.data[index] = 0 - this.at(index);
  }

  floats(from = 0, to = this.length): { readonly values: Float32Array; readonly loss: PrecisionLoss } {
    const values = Float32Array.from(this.data.subarray(from, to));
    const rounded = this.rounded.subarray(from, to).reduce((sum, flag) => sum + flag, 0);
    const infinite = values.filter((kept, i) => !Number.isFinite(kept) && Number.isFinite(this.at(from + i)));
    return { values, loss: { rounded, overflowed: infinite.length } };
  }
}

/**
 * Positions in a text. Loops, not regular expressions: a pattern that skips eight million spaces overflows the stack.
 */

/** The index after spaces and # comments. The print of an array in Elixir begins with "#", too. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === 0xa0 || code === 0xfeff) continue;
    if (code !== 35 || text.startsWith('#Nx.Tensor<', at)) break;
    const end = text.indexOf('\n', at);
    at = end === -1 ? text.length - 1 : end;
  }
  return at;
}

/** Line and column, from 1. */
export function textPositionAt(text: string, at: number): TextPosition {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return { line, column: at - (before.lastIndexOf('\n') + 1) + 1 };
}
