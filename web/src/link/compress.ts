import { inflate } from '../formats/inflate';
import { LINK_LIMITS, type LinkContent, type LinkInput } from './field';
import { decodeBase64, encodeBase64, encodeValues, planes } from './text';
import { type Link, writeLink } from './write-link';

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
      const whole = await inflate(source, 0, bytes.length, size, true).catch(() => null);
      return whole ? [[text, whole] as const] : [];
    }),
  );
  return new Map(found.flat());
}

/** Values as compressed text; null: longer than `most` characters. */
export async function compress(values: Float32Array, most: number): Promise<string | null> {
  const { name, bytes } = planes(values);
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const reader = stream.getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
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
  return `${name}z.${encodeBase64(new Uint8Array(await new Blob(pieces).arrayBuffer()))}`;
}

/** A link with as many values as fit, compressed. */
export interface PackedLink extends Link {
  /** Inputs with written values, the longest first. */
  readonly inputLengths: readonly InputLength[];
  readonly canCompress: boolean;
}

interface InputLength {
  readonly input: LinkInput;
  readonly numbers: number;
  /** Length in the link; null: above the limit. */
  readonly characters: number | null;
}

/**
 * The link of a state, with values compressed where that is shorter. The longest inputs are left out until it fits the
 * limit.
 */
export async function packLink(state: LinkContent): Promise<PackedLink> {
  const wanted = new Map<LinkInput, Float32Array>();
  writeLink(state, (values, input) => {
    wanted.set(input, values);
    return undefined;
  });
  const compressible = canCompress();
  const texts = new Map<LinkInput, string | null>();
  for (const [input, values] of wanted) texts.set(input, await textOf(values, compressible));
  const weights = [...wanted].map(([input, values]): InputLength => {
    return { input, numbers: values.length, characters: texts.get(input)?.length ?? null };
  });
  weights.sort((a, b) => (b.characters ?? Number.POSITIVE_INFINITY) - (a.characters ?? Number.POSITIVE_INFINITY));
  const link = () => writeLink(state, (_values, input) => texts.get(input) ?? undefined);
  for (const { input } of weights) {
    if (link().hash.length <= LINK_LIMITS.characters) break;
    texts.delete(input);
  }
  return { ...link(), inputLengths: weights, canCompress: compressible };
}

/** The shorter of compressed and plain; null: both are too long. */
async function textOf(values: Float32Array, compressible: boolean): Promise<string | null> {
  const short = compressible ? await compress(values, LINK_LIMITS.characters) : null;
  // Three values take at least four characters.
  if (values.length > LINK_LIMITS.characters) return short;
  const plain = encodeValues(values);
  if (short !== null && short.length < plain.length) return short;
  return plain.length > LINK_LIMITS.characters ? null : plain;
}
