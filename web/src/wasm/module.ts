export type { MainModule as CheckModule } from './generated/check';
export type { MainModule, Status } from './generated/conv2d';

/** Embind's type for std::string. Arguments may be bytes; return values are always strings. */
export type EmbindText = string | ArrayBuffer | ArrayBufferView;

/** A string that the module returned. */
export const textOf = (value: EmbindText): string => {
  if (typeof value === 'string') return value;
  throw new TypeError('the module returned bytes instead of a string');
};
