import { MINUS, notFinite } from './numbers';

/** Numbers of any magnitude (3.1·10⁻⁴), counts, sizes, times. Not in the first download: the first frame has none. */

const RAISED = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/** "10⁻³"; 10⁰ is "1" and 10¹ is "10". */
export function powerOfTen(exponent: number): string {
  if (exponent === 0) return '1';
  if (exponent === 1) return '10';
  return `10${exponent < 0 ? '⁻' : ''}${[...String(Math.abs(exponent))].map((digit) => RAISED[Number(digit)]).join('')}`;
}

/** Decimal from 0.001 to 99999, else with a power of ten; `digits` significant digits without trailing zeros. */
export function formatScientific(value: number, digits: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const sign = value < 0 ? MINUS : '';
  const magnitude = Math.abs(value);
  if (magnitude === 0) return '0';
  if (magnitude >= 0.001 && magnitude < 99_999.5) return sign + Number(magnitude.toPrecision(digits)).toString();
  const [mantissa = '', exponent = ''] = magnitude.toExponential(digits - 1).split('e');
  const factor = Number(mantissa).toString();
  const power = powerOfTen(Number(exponent));
  return sign + (factor === '1' ? power : `${factor}·${power}`);
}

/** The same with trailing zeros, for columns of numbers; integers and powers of ten get none. */
export function formatAligned(value: number, digits: number): string {
  const text = formatScientific(value, digits);
  const plain = /^\u2212?[\d.]+$/.test(text);
  if (!plain || Number.isInteger(value)) return text;
  return value.toPrecision(digits).replace('-', MINUS);
}

/** A text as a sentence: with a capital and a period. Empty if the text is. */
export const sentence = (text: string): string =>
  text && `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`;

/** "1 filter", "2 filters" */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** 1,354,752 */
export const formatCount = (count: number): string => count.toLocaleString('en');

export const formatRatio = (ratio: number): string => String(Number(ratio.toPrecision(3)));

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 2 ** 20) return `${formatRatio(bytes / 1024)} KiB`;
  return `${formatRatio(bytes / 2 ** 20)} MiB`;
}

/** 12.3 ms, 4.5 µs: of a time that was measured by repetition. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds >= 1000) return `${formatRatio(milliseconds / 1000)} s`;
  return milliseconds >= 1 ? `${formatRatio(milliseconds)} ms` : `${formatRatio(milliseconds * 1000)} µs`;
}

/** Of a single run: browsers round their clocks to about 0.1 ms. */
export const formatMilliseconds = (value: number): string =>
  value < 0.1 ? 'under 0.1 ms' : `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
