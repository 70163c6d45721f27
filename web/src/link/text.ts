/** Encodes and decodes texts for links. */

/** Lone surrogates cannot be encoded: they become U+FFFD. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

export const encoded = (text: string): string => encodeURIComponent(wellFormed(text));

/** Inverse of `encoded`; null if the text is not valid. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** A name before a separator: "~" and "," in it are escaped. */
export const nameText = (name: string): string =>
  encoded(name.replace(/[%~,]/g, (char) => `%${char.charCodeAt(0).toString(16)}`));

/** Inverse of `nameText`, after the field was decoded once. */
export const parseName = (text: string): string => decoded(text) ?? text;

/**
 * Typed text for a message: shortened, control characters replaced. The first undefined character of a damaged link
 * made a browser search all fonts for 450 ms.
 */
export const shortened = (text: string): string =>
  (text.length > 40 ? `${text.slice(0, 39)}…` : text).replace(/\p{C}/gu, '\ufffd');

export const quoted = (text: string): string => `"${shortened(text)}"`;
