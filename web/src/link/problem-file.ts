import { FILE_LIMITS } from '../protocol/file-limits';
import type { InputName } from '../state/problem';
import type { Carried, CarriedInput, Linked } from './field';
import { packed, unpacked } from './packed';
import { decodeValues, encodeValues, planes } from './payload';
import { carriedOf, writeLink } from './write-link';

/**
 * A file that opens what a link is too short for: the link, and beside it the numbers that it leaves out, as a link would have them.
 *   {"conv2d":"v=2&h=…&x=ones~omitted&…","numbers":{"x":{"count":65536,"edited":true,"values":"f32z.…"}}}
 */

const BEGINNING = '{"conv2d":"';
const NAMES: readonly InputName[] = ['x', 'w', 'b', 'dy'];
/** A noise of all that is computed unasked has 17 million. */
const MOST_BYTES = 2 ** 25;

export const isProblemFile = async (file: Blob): Promise<boolean> =>
  (await file.slice(0, BEGINNING.length).text()) === BEGINNING;

export async function writeProblemFile(state: Linked): Promise<Blob> {
  const { hash, omitted } = writeLink(state);
  const numbers: Partial<Record<InputName, object>> = {};
  for (const name of omitted) {
    const input = carriedOf(state.problem, name);
    if (!input) continue;
    const { name: type, bytes } = planes(input.data);
    const short = await packed(bytes, Number.POSITIVE_INFINITY).catch(() => null);
    const values = short === null ? encodeValues(input.data) : `${type}z.${short}`;
    numbers[name] = { count: input.data.length, edited: input.edited, values };
  }
  return new Blob([JSON.stringify({ conv2d: hash, numbers })], { type: 'application/json' });
}

export interface ProblemFile {
  readonly link: string;
  readonly carried: Carried;
}

/** A sentence where it cannot be read. */
export async function readProblemFile(file: Blob): Promise<ProblemFile | string> {
  if (file.size > MOST_BYTES) return `it has ${file.size} bytes, at most ${MOST_BYTES} are read`;
  let read: unknown;
  try {
    read = JSON.parse(await file.text());
  } catch {
    return 'it is damaged: it ends too soon, or was changed';
  }
  const { conv2d: link, numbers } = entriesOf(read);
  if (typeof link !== 'string') return 'it names no problem';
  const carried: { [Name in InputName]?: CarriedInput } = {};
  for (const name of NAMES) {
    const entry = entriesOf(numbers)[name];
    if (entry === undefined) continue;
    const input = await inputOf(entriesOf(entry));
    if (!input) return `the numbers of ${name} are damaged`;
    carried[name] = input;
  }
  return { link, carried };
}

const entriesOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

async function inputOf({ count, edited, values }: Readonly<Record<string, unknown>>): Promise<CarriedInput | null> {
  if (typeof values !== 'string' || typeof count !== 'number' || !Number.isInteger(count)) return null;
  if (count < 0 || count > FILE_LIMITS.elements) return null;
  const wanted = new Map<string, number>();
  const plain = decodeValues(values, count, (text, bytes) => {
    wanted.set(text, bytes);
    return null;
  });
  const found = wanted.size > 0 ? await unpacked(wanted) : null;
  const data = plain ?? (found && decodeValues(values, count, (text) => found.get(text) ?? null));
  return data && { data, edited: edited === true };
}
