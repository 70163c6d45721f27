/** Conversion between numbers and text without loss. */

/** Includes -0, NaN and the infinities. */
export const numberText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

/** The number, or null if the text has anything else. */
export function parseNumber(text: string | undefined): number | null {
  if (text === undefined || text.trim() === '') return null;
  const value = Number(text);
  return Number.isNaN(value) && text !== 'NaN' ? null : value;
}

/** A non-negative whole number, or null. */
export const parseCount = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
