import { FILE_LIMITS } from '../protocol/file-limits';
import { type Refused, refuse, type Source } from './format';
import { bytesOf } from './in-memory';

/** Decodes a text file: UTF-8, or UTF-16 with a byte order mark ("Unicode text" of spreadsheets). */
export async function textOf(source: Source): Promise<string | Refused> {
  if (source.size > FILE_LIMITS.characters) {
    const most = FILE_LIMITS.characters.toLocaleString('en');
    return refuse(
      `the file has ${source.size.toLocaleString('en')} bytes, but the limit for text is ${most}. Save large arrays as .npy`,
    );
  }
  const bytes = await bytesOf(source, 0, source.size);
  if ('refusal' in bytes) return bytes;
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const zero = bytes.indexOf(0);
  if (zero !== -1) return refuse('this is not text, and not a supported file format', { byte: zero });
  return new TextDecoder().decode(bytes);
}
