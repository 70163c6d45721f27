/**
 * Maximum sizes of files and pasted text. Not part of the first download. The longest text
 * is read in 0.1 s (150,000 numbers as printed by NumPy); the largest tensor takes 64 MiB.
 */
export const FILE_LIMITS = {
  characters: 2 ** 21,
  elements: 2 ** 24,
  /** Of all arrays of a file together, to be checked: they take 128 MiB, and several times as much while they are checked. */
  judged: 2 ** 25,
  rank: 8,
  tensors: 4096,
  header_bytes: 2 ** 22,
  /** Nesting of brackets. */
  depth: 24,
} as const;
