import { FILE_LIMITS } from '../protocol/file-limits';
import { shapeSize } from '../protocol/shapes';
import { endOf } from '../state/problem';
import { compress, decompress } from './compress';
import type { KnownInput, KnownInputs, LinkContent, LinkInput, ParsedLink } from './field';
import { readLink } from './read-link';
import { decodeValues, encodeValues } from './text';
import { inputValuesOf, writeLink } from './write-link';

/**
 * A file for problems that do not fit into a link: the link, and the values that it leaves out, in the encoding of links.
 *   {"conv2d":"v=2&h=…&x=ones~omitted&…","numbers":{"x":{"count":65536,"edited":true,"values":"f32z.…"}}}
 */

const BEGINNING = '{"conv2d":"';
/** Bytes. Random values of the largest problem without a confirmation take 17 million. */
const MOST_BYTES = 2 ** 25;

export const isProblemFile = async (file: Blob): Promise<boolean> =>
  (await file.slice(0, BEGINNING.length).text()) === BEGINNING;

export async function writeProblemFile(state: LinkContent): Promise<Blob> {
  const { hash, omitted } = writeLink(state);
  const numbers: Partial<Record<LinkInput, object>> = {};
  for (const name of omitted) {
    const input = inputValuesOf(state.problem, name);
    if (!input) continue;
    const short = await compress(input.data, Number.POSITIVE_INFINITY).catch(() => null);
    const values = short ?? encodeValues(input.data);
    numbers[name] = { count: input.data.length, edited: input.edited, values };
  }
  return new Blob([JSON.stringify({ conv2d: hash, numbers })], { type: 'application/json' });
}

export interface ProblemFile {
  readonly link: string;
  readonly knownInputs: KnownInputs;
}

/** Returns a sentence if the file cannot be read. */
export async function readProblemFile(file: Blob): Promise<ProblemFile | string> {
  if (file.size > MOST_BYTES) return `it has ${file.size} bytes; the limit is ${MOST_BYTES}`;
  let read: unknown;
  try {
    read = JSON.parse(await file.text());
  } catch {
    return 'it is damaged or incomplete';
  }
  const { conv2d: link, numbers } = entriesOf(read);
  if (typeof link !== 'string') return 'it contains no problem';
  const entries = Object.entries(entriesOf(numbers)).filter((entry): entry is [LinkInput, unknown] =>
    INPUT.test(entry[0]),
  );
  const fits = limitsOf(await readLink(link));
  const knownInputs: { [Name in LinkInput]?: KnownInput } = {};
  for (const [name, entry] of entries) {
    const packed = entriesOf(entry);
    if (!isCount(packed.count)) return `its values of ${name} are damaged`;
    if (!fits(name, packed.count)) continue;
    const input = await inputOf(packed, packed.count);
    if (!input) return `its values of ${name} are damaged`;
    knownInputs[name] = input;
  }
  return { link, knownInputs };
}

const INPUT = /^(x|dy|[wb]\d?)$/;

const isCount = (count: unknown): count is number =>
  typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= FILE_LIMITS.elements;

/**
 * Which values are read: those that the link leaves out, with the count of its sizes. A link that needs a confirmation is
 * not read yet: its values have a limit together.
 */
function limitsOf({ fault, problem, look, missing }: ParsedLink): (name: LinkInput, count: number) => boolean {
  if (fault === 'refused') return () => false;
  if (fault === null) {
    const countOf = (name: LinkInput) =>
      name === 'dy' ? shapeSize(endOf(problem)) : (inputValuesOf(problem, name)?.data.length ?? -1);
    // Files of a link without `layers` do not number its convolution.
    return (name, count) =>
      [name, `${name}${Number(look.layer) + 1}`].some(
        (known) => missing.some(({ input }) => input === known) && count === countOf(known as LinkInput),
      );
  }
  let left: number = FILE_LIMITS.elements;
  return (_, count) => {
    left -= count;
    return left >= 0;
  };
}

const entriesOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

async function inputOf(
  { edited, values }: Readonly<Record<string, unknown>>,
  count: number,
): Promise<KnownInput | null> {
  if (typeof values !== 'string') return null;
  const wanted = new Map<string, number>();
  const plain = decodeValues(values, count, (text, bytes) => {
    wanted.set(text, bytes);
    return null;
  });
  const found = wanted.size > 0 ? await decompress(wanted) : null;
  const data = plain ?? (found && decodeValues(values, count, (text) => found.get(text) ?? null));
  return data && { data, edited: edited === true };
}
