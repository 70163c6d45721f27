/** Conversion between numbers and text without loss. */

/** Includes -0, NaN and the infinities. */
export const numberText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

/** The number, or null if the text has anything else. */
export function parseExact(text: string | undefined): number | null {
  if (text === undefined || text.trim() === '') return null;
  const value = Number(text);
  return Number.isNaN(value) && text !== 'NaN' ? null : value;
}

/** A non-negative whole number, or null. */
export const parseCount = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;

/** Of rows and columns: "2", or "2x3". */
export const pairText = (rows: number, cols: number): string => (rows === cols ? String(rows) : `${rows}x${cols}`);

/** Inverse of `pairText`; null if the text is none. */
export function parsePair(text: string): readonly [number, number] | null {
  const [rows = null, cols = rows, ...more] = text.split('x').map(parseCount);
  return rows === null || cols === null || more.length > 0 ? null : [rows, cols];
}
