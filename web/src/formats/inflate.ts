import { type Refused, refuse, type Source } from './format';
import { bytesOf } from './in-memory';

/** Compressed bytes are fetched and taken apart in pieces of so many. */
const PIECE = 65_536;

/**
 * The first `size` bytes of what was deflated into the range of a file, and no more: however much a few bytes claim to
 * hold, it stops there. Browsers and Node have what it takes.
 */
export async function inflate(source: Source, from: number, to: number, size: number): Promise<Uint8Array | Refused> {
  const out = new Uint8Array(size);
  let [at, filled] = [from, 0];
  let refused: Refused | null = null;
  const pieces = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const next = Math.min(at + PIECE, to);
      const bytes = next > at ? await bytesOf(source, at, next) : null;
      if (bytes && 'refusal' in bytes) refused = bytes;
      if (bytes === null || 'refusal' in bytes) return controller.close();
      at = next;
      controller.enqueue(Uint8Array.from(bytes));
    },
  });
  const reader = pieces.pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  try {
    while (filled < size) {
      const { done, value } = await reader.read();
      if (done) break;
      const room = value.subarray(0, size - filled);
      out.set(room, filled);
      filled += room.length;
    }
    await reader.cancel();
  } catch {
    return refused ?? refuse('what was compressed here is damaged', { byte: from });
  }
  if (filled === size) return out;
  return refused ?? refuse(`compressed numbers end after ${filled} bytes, but ${size} are needed`, { byte: from });
}
