import { inflate } from '../formats/inflate';
import { decodeBase64, encodeBase64 } from './payload';

/** Compressed bytes in a link: raw deflate, base64url. */

/** Older browsers have compression streams, but not this format. */
export function canCompress(): boolean {
  try {
    new DecompressionStream('deflate-raw');
    new CompressionStream('deflate-raw');
    return true;
  } catch {
    return false;
  }
}

/** Decompresses each text to exactly the wanted number of bytes; a text of another length is missing in the result. */
export async function decompress(wanted: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = await Promise.all(
    [...wanted].map(async ([text, size]) => {
      const bytes = decodeBase64(text);
      if (!bytes) return [];
      const source = { name: '', size: bytes.length, bytes: async (from: number, to: number) => bytes.slice(from, to) };
      const whole = await inflate(source, 0, bytes.length, size, true);
      return 'refusal' in whole ? [] : [[text, whole] as const];
    }),
  );
  return new Map(found.flat());
}

/** null: longer than `most` characters. */
export async function compress(bytes: Uint8Array<ArrayBuffer>, most: number): Promise<string | null> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const reader = stream.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    size += value.length;
    if (size * (4 / 3) > most) {
      await reader.cancel();
      return null;
    }
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return encodeBase64(whole);
}
