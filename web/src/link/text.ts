/** Pieces of text that may stand in a link. */

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

/**
 * What somebody typed, short enough to be repeated, and without what is no letter, sign or space: the first half-read character
 * of a mangled link had a browser look through all fonts for 450 ms.
 */
export const shortened = (text: string): string =>
  (text.length > 40 ? `${text.slice(0, 39)}…` : text).replace(/\p{C}/gu, '\ufffd');

export const quoted = (text: string): string => `"${shortened(text)}"`;
