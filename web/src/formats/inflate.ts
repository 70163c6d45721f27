import { bytesIn, ReadError, type Source } from './format';

/** Bytes that are read and decompressed at a time. */
const PIECE = 65_536;

/**
 * Inflates a range of a file to at most `size` bytes, so that a zip bomb cannot fill the memory. `isAll`: refuses
 * longer data.
 */
export async function inflate(
  source: Source,
  from: number,
  to: number,
  size: number,
  isAll = false,
): Promise<Uint8Array> {
  const out = new Uint8Array(size);
  let [at, filled] = [from, 0];
  let failure: unknown = null;
  const pieces = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const next = Math.min(at + PIECE, to);
      if (next === at) return controller.close();
      try {
        controller.enqueue(Uint8Array.from(await bytesIn(source, at, next)));
      } catch (thrown) {
        failure = thrown;
        controller.close();
      }
      at = next;
    },
  });
  const reader = pieces.pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  try {
    while (filled < size || (isAll && filled === size)) {
      const { done, value } = await reader.read();
      if (done) break;
      out.set(value.subarray(0, size - filled), filled);
      filled += value.length;
    }
    await reader.cancel();
  } catch {
    throw failure ?? new ReadError('the compressed data is damaged', { byte: from });
  }
  if (isAll && filled > size) throw new ReadError(`the compressed data is longer than ${size} bytes`, { byte: from });
  if (filled >= size) return out;
  throw (
    failure ?? new ReadError(`the compressed data ends after ${filled} bytes, but ${size} are needed`, { byte: from })
  );
}
