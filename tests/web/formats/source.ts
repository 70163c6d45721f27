import type { Source } from '../../../web/src/formats/format';

/** A file in memory. */
export const sourceOf = (name: string, bytes: Uint8Array): Source => ({
  name,
  size: bytes.length,
  bytes: async (from, to) => bytes.subarray(from, to),
});
