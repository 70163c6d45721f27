import { refuse } from '../src/engine/validate';

/**
 * Type checks of arguments. Embind accepts 1.5 or "7" for a count, so arguments are checked before they reach it. Ranges (stride >= 1, ...)
 * are checked only by the library.
 */

/** The name of a built-in type, also for values of another realm (an iframe, a test's sandbox). */
const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** Describes a value, for use after "it is". */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return `the string ${JSON.stringify(value.slice(0, 40))}`;
  if (ArrayBuffer.isView(value)) return `${/^I/.test(tagOf(value)) ? 'an' : 'a'} ${tagOf(value)}`;
  return Array.isArray(value) ? 'a list' : `of type ${typeof value}`;
}

/** Checks for an integer that a double represents exactly. `element` is its name in the message if a field has several. */
export function checkCount(value: unknown, field: string, element = field): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    return refuse(field, `${element} is ${kindOf(value)}, but must be a whole number`);
  }
  if (!Number.isSafeInteger(value)) {
    return refuse(field, `${element} is ${value}, but must be at most 2^53 - 1`, 'overflow');
  }
  return value;
}

/** A check that a value `is` what it `must` be. */
const check =
  <Wanted>(is: (value: unknown) => boolean, must: string) =>
  (value: unknown, field: string): Wanted =>
    is(value) ? (value as Wanted) : refuse(field, `${field} is ${kindOf(value)}, but must be ${must}`);

export const checkFinite = check<number>(Number.isFinite, 'a finite number');
export const checkFlag = check<boolean>((value) => typeof value === 'boolean', 'true or false');
export const checkFloats = check<Float32Array>((value) => tagOf(value) === 'Float32Array', 'a Float32Array');
