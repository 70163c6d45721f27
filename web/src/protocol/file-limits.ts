/**
 * What is read of a file or of pasted text at all. Beside limits.ts, since nothing of it is part of the first download: the
 * longest text is read in a tenth of a second (150,000 numbers as NumPy prints them), the largest tensor takes 64 MiB.
 */
export const FILE_LIMITS = {
  characters: 2 ** 21,
  elements: 2 ** 24,
  rank: 8,
  tensors: 4096,
  /** Of the bytes that say what a file holds. */
  header_bytes: 2 ** 22,
  /** Brackets within brackets. */
  depth: 24,
} as const;
