/** Pieces of text that may stand in a link. */

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

/** Half of a character that takes two cannot be encoded. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

export const encoded = (text: string): string => encodeURIComponent(wellFormed(text));

/** What `encoded` made, or null when nothing can have. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** A name that stands before a separator: neither "~" nor "," in it is taken for one. */
export const nameText = (name: string): string =>
  encoded(name.replace(/[%~,]/g, (char) => `%${char.charCodeAt(0).toString(16)}`));

/** The name of a `nameText` that has been decoded once, with its field. */
export const parseName = (text: string): string => decoded(text) ?? text;

/** What somebody typed, short enough to be repeated. */
export const quoted = (text: string): string => `"${text.length > 40 ? `${text.slice(0, 39)}…` : text}"`;
