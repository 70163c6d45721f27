import { type ConvDesc, PASSES } from '../../protocol/problem';
import { RACE_BUILDS, type RaceEntry, type RaceResult } from '../../protocol/race';
import type { RaceRecord } from './record';

/** A race record as a JSON file, with the samples of every run. */

const FORMAT = 'conv2d-race';
const VERSION = 1;

/** Bytes. A record of all shapes with all algorithms has a tenth of this. */
export const MOST_BYTES = 4e6;
const MOST = { results: 512, entries: 64, samples: 256, text: 300 };

export function recordJson(record: RaceRecord, setup: string, date: Date): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, date: date.toISOString(), setup, ...record }, null, 1)}\n`;
}

export interface OpenedRecord {
  readonly record: RaceRecord;
  /** Setup in link format. */
  readonly setup: string;
}

/** The message says what is wrong in the file, and where. */
class Refusal extends Error {}

/** The record of a file, or an error message. */
export function parseRecord(text: string): OpenedRecord | string {
  if (text.length > MOST_BYTES) return 'This file is too large for a saved race.';
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return 'This file is not valid JSON. It may be incomplete.';
  }
  try {
    return readRecord(json);
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.message;
    throw thrown;
  }
}

function readRecord(json: unknown): OpenedRecord {
  const file = new Part(isObject(json) ? json : {}, '');
  if (file.fields.format !== FORMAT) throw new Refusal('This file is not a race that was saved by this page.');
  if (file.fields.version !== VERSION)
    throw new Refusal('This race was saved by another version of the page and cannot be opened. Run it again.');
  const machine = file.part('machine');
  const builds = machine.part('builds');
  const tops = file.part('ceilings');
  const top = (name: string) => (tops.fields[name] === null ? null : tops.number(name));
  return {
    setup: file.text('setup'),
    record: {
      engine: file.text('engine'),
      cores: file.number('cores'),
      machine: {
        cores: machine.number('cores'),
        isolated: machine.fields.isolated === true,
        clock_step: machine.number('clock_step'),
        threads: machine.number('threads'),
        builds: {
          loops: builds.text('loops'),
          simd: builds.text('simd'),
          relaxed: builds.text('relaxed'),
          threads: builds.text('threads'),
        },
      },
      ceilings: { simd: top('simd'), relaxed: top('relaxed'), threads: top('threads'), bandwidth: top('bandwidth') },
      results: file
        .list('results', MOST.results)
        .map(({ value, at }) => (value === null ? null : readResult(partOf(value, at)))),
    },
  };
}

const readResult = (result: Part): RaceResult => ({
  name: result.text('name'),
  desc: readDesc(result.part('desc')),
  pass: result.oneOf('pass', PASSES),
  flops: result.number('flops'),
  bytes: result.number('bytes'),
  x_col_bytes: result.number('x_col_bytes'),
  refusal: result.text('refusal'),
  entries: result.list('entries', MOST.entries).map(({ value, at }) => readEntry(partOf(value, at))),
});

const readEntry = (entry: Part): RaceEntry => ({
  id: entry.text('id'),
  build: entry.oneOf('build', RACE_BUILDS),
  algorithm: entry.text('algorithm'),
  threads: entry.number('threads'),
  fate: entry.oneOf('fate', ['timed', 'wrong', 'failed', 'left_out']),
  reason: entry.text('reason'),
  // JSON has no infinity: null if the result contained NaN or infinity.
  error: entry.fields.error === null ? Number.POSITIVE_INFINITY : entry.number('error'),
  samples: entry.numbers('samples'),
  unprepared: entry.fields.unprepared === null ? null : entry.numbers('unprepared'),
  scratch_bytes: entry.number('scratch_bytes'),
  packed_bytes: entry.number('packed_bytes'),
});

function readDesc(desc: Part): ConvDesc {
  const padding = desc.part('padding');
  return {
    layout: desc.oneOf('layout', ['nhwc', 'nchw']),
    n: desc.number('n'),
    h: desc.number('h'),
    w: desc.number('w'),
    c: desc.number('c'),
    k: desc.number('k'),
    kh: desc.number('kh'),
    kw: desc.number('kw'),
    stride_h: desc.number('stride_h'),
    stride_w: desc.number('stride_w'),
    dilation_h: desc.number('dilation_h'),
    dilation_w: desc.number('dilation_w'),
    groups: desc.number('groups'),
    padding_mode: desc.oneOf('padding_mode', ['explicit_sides', 'valid', 'same', 'full']),
    padding: {
      top: padding.number('top'),
      bottom: padding.number('bottom'),
      left: padding.number('left'),
      right: padding.number('right'),
    },
  };
}

interface Fields {
  readonly [name: string]: unknown;
  readonly format?: unknown;
  readonly version?: unknown;
  readonly isolated?: unknown;
  readonly error?: unknown;
  readonly unprepared?: unknown;
}

interface Item {
  readonly value: unknown;
  readonly at: string;
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function partOf(value: unknown, at: string): Part {
  if (isObject(value)) return new Part(value, at);
  throw new Refusal(`This file is damaged: ${at} is missing.`);
}

/** An object in the file. Its accessors throw a Refusal with the position if a member is invalid. */
class Part {
  readonly fields: Fields;
  readonly #at: string;

  constructor(fields: Fields, at: string) {
    this.fields = fields;
    this.#at = at;
  }

  part(name: string): Part {
    return partOf(this.fields[name], this.#path(name));
  }

  text(name: string): string {
    const value = this.fields[name];
    if (typeof value === 'string' && value.length <= MOST.text) return value;
    throw this.#refusal(name, 'not a short text');
  }

  number(name: string): number {
    return numberOf(this.fields[name], this.#path(name));
  }

  list(name: string, most: number): readonly Item[] {
    const value = this.fields[name];
    if (!Array.isArray(value) || value.length > most) throw this.#refusal(name, `not a list of at most ${most}`);
    return value.map((item: unknown, i) => ({ value: item, at: `${this.#path(name)}[${i}]` }));
  }

  numbers(name: string): readonly number[] {
    return this.list(name, MOST.samples).map(({ value, at }) => numberOf(value, at));
  }

  oneOf<Word extends string>(name: string, words: readonly Word[]): Word {
    const found = words.find((word) => word === this.fields[name]);
    if (found !== undefined) return found;
    throw this.#refusal(name, `not one of ${words.join(', ')}`);
  }

  #path(name: string): string {
    return this.#at === '' ? name : `${this.#at}.${name}`;
  }

  #refusal(name: string, what: string): Refusal {
    return new Refusal(`This file is damaged: ${this.#path(name)} is ${what}.`);
  }
}

function numberOf(value: unknown, at: string): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  throw new Refusal(`This file is damaged: ${at} is not a number.`);
}
