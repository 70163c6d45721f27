/** Numbers as text that gives exactly the same number back. */

/** Exactly this number: -0, NaN and the infinities too. */
export const numberText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

const WORDS: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

/** The number that the text is in whole, or null. */
export function parseNumber(text: string | undefined): number | null {
  if (text === undefined || text.trim() === '') return null;
  const value = WORDS[text] ?? Number(text);
  return Number.isNaN(value) && text !== 'NaN' ? null : value;
}

/** A whole number that is not negative, or null. */
export const parseCount = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
