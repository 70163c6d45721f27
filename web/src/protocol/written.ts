/** A number as somebody wrote it down. */
export interface Written {
  readonly value: number;
  /** Half a unit of its last digit. */
  readonly precision: number;
}

const NUMBER = /^[+-]?(?:\d+(?:\.(\d*))?|\.(\d+))(?:e([+-]?\d+))?$/i;

/** What a text says that a person typed, with a hyphen or a minus sign; null where that is no number. */
export function writtenNumber(text: string): Written | null {
  const plain = text.trim().replace('−', '-');
  const match = NUMBER.exec(plain);
  if (!match) return null;
  const [, behindPoint = '', alone = '', exponent = '0'] = match;
  const value = Number(plain);
  const precision = Number(`5e${Number(exponent) - behindPoint.length - alone.length - 1}`);
  return Number.isFinite(value) && Number.isFinite(precision) ? { value, precision } : null;
}
