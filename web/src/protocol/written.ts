/** A number as typed by the user. */
export interface WrittenNumber {
  readonly value: number;
  /** Half a unit of its last digit. */
  readonly precision: number;
}

const NUMBER = /^[+-]?(?:\d+(?:\.(\d*))?|\.(\d+))(?:e([+-]?\d+))?$/i;

/** Parses typed text, with a hyphen or a minus sign; null if it is not a number. */
export function writtenNumber(text: string): WrittenNumber | null {
  const plain = text.trim().replace('−', '-');
  const match = NUMBER.exec(plain);
  if (!match) return null;
  const [, decimals = '', onlyDecimals = '', exponent = '0'] = match;
  const value = Number(plain);
  const precision = Number(`5e${Number(exponent) - decimals.length - onlyDecimals.length - 1}`);
  return Number.isFinite(value) && Number.isFinite(precision) ? { value, precision } : null;
}
