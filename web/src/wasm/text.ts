/** Embind accepts bytes where C++ takes a string, and types what C++ returns the same way; it always returns a string. */
export type EmbindText = string | ArrayBuffer | ArrayBufferView;

/** A text that the module returned. */
export const textOf = (value: EmbindText): string => {
  if (typeof value === 'string') return value;
  throw new TypeError('the module returned bytes in place of a text');
};
