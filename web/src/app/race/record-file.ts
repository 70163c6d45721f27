import * as v from 'valibot';
import { PADDING_MODES, PASSES } from '../../protocol/problem';
import { RACE_BUILDS } from '../../protocol/race';
import { perCount } from '../../protocol/size-table';
import type { RaceRecord } from './record';

/** A race record as a JSON file, with the samples of every run. */

const FORMAT = 'conv2d-race';
const VERSION = 1;

/** Bytes. A record of all algorithms has a hundredth of this. */
export const MOST_BYTES = 4e6;

const NOT_SHORT = 'not a short text';
const NOT_A_NUMBER = 'not a number';
const MISSING = 'missing';

const text = v.pipe(v.string(NOT_SHORT), v.maxLength(300, NOT_SHORT));
const number = v.pipe(v.number(NOT_A_NUMBER), v.finite(NOT_A_NUMBER), v.minValue(0, NOT_A_NUMBER));
const oneOf = <const Words extends readonly string[]>(words: Words) =>
  v.picklist(words, `not one of ${words.join(', ')}`);
const list = <Item extends v.GenericSchema>(item: Item, most: number) => {
  const message = `not a list of at most ${most}`;
  return v.pipe(v.array(item, message), v.maxLength(most, message));
};
const object = <Fields extends v.ObjectEntries>(fields: Fields) => v.object(fields, MISSING);

const samples = list(number, 256);

const desc = object({
  layout: oneOf(['nhwc', 'nchw']),
  ...perCount(() => number),
  padding_mode: oneOf(PADDING_MODES),
  padding: object({ top: number, bottom: number, left: number, right: number }),
});

const entry = object({
  id: text,
  build: oneOf(RACE_BUILDS),
  algorithm: text,
  threads: number,
  fate: oneOf(['timed', 'wrong', 'failed', 'left_out']),
  reason: text,
  // JSON has no infinity: null if the result contained NaN or infinity.
  error: v.pipe(
    v.nullable(number),
    v.transform((error) => error ?? Number.POSITIVE_INFINITY),
  ),
  samples,
  unprepared: v.nullable(samples),
  ...{ scratch_bytes: number, packed_bytes: number },
});

const result = object({
  name: text,
  desc,
  pass: oneOf(PASSES),
  ...{ flops: number, bytes: number, x_col_bytes: number },
  refusal: text,
  entries: list(entry, 64),
});

const ceiling = v.nullable(number);

const whole = object({
  setup: text,
  engine: text,
  cores: number,
  machine: object({
    cores: number,
    isolated: v.boolean('not true or false'),
    ...{ clock_step: number, threads: number },
    builds: object({ loops: text, simd: text, relaxed: text, threads: text }),
  }),
  ceilings: object({ simd: ceiling, relaxed: ceiling, threads: ceiling, bandwidth: ceiling }),
  results: list(v.nullable(result), 512),
});

const header = v.object({ format: v.literal(FORMAT), version: v.unknown() });

export function recordJson(record: RaceRecord, setup: string, date: Date): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, date: date.toISOString(), setup, ...record }, null, 1)}\n`;
}

export interface OpenedRecord {
  readonly record: RaceRecord;
  /** Setup in link format. */
  readonly setup: string;
}

/** The record of a file, or an error message that names the damaged member. */
export function parseRecord(content: string): OpenedRecord | string {
  if (content.length > MOST_BYTES) return 'This file is too large for a saved race.';
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch {
    return 'This file is not valid JSON. It may be incomplete.';
  }
  if (!v.is(header, json)) return 'This file is not a race that was saved by this page.';
  if (json.version !== VERSION)
    return 'This race was saved by another version of the page and cannot be opened. Run it again.';
  const read = v.safeParse(whole, json, { abortEarly: true });
  if (!read.success) return `This file is damaged: ${nameOf(read.issues[0])} is ${read.issues[0].message}.`;
  const { setup, ...record } = read.output;
  return { setup, record };
}

/** "results[0].entries[2].id" */
const nameOf = ({ path }: v.BaseIssue<unknown>): string =>
  (path ?? [])
    .map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
