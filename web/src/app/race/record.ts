import { type ConvDesc, PASSES, type Pass, RESULT_OF } from '../../protocol/problem';
import {
  RACE_BUILDS,
  type RaceBuild,
  type RaceCeilings,
  type RaceEntry,
  type RaceMachine,
  type RaceRequest,
  type RaceResult,
  type RaceTask,
} from '../../protocol/race';
import { shapeSize, wShape, xShape, yShape } from '../../protocol/shapes';

/** The passes of the problem on the page that race. In a link: "this.y-dx.every". */
export interface Setup {
  readonly passes: readonly Pass[];
  /** Every algorithm of the library. */
  readonly every: boolean;
  /** More rounds. */
  readonly careful: boolean;
}

export const setupText = ({ passes, every, careful }: Setup): string =>
  [
    'this',
    passes.map((pass) => RESULT_OF[pass]).join('-'),
    ...(every ? ['every'] : []),
    ...(careful ? ['careful'] : []),
  ].join('.');

/** Parses a setup; unknown parts, such as "open", become defaults. */
export function parseSetup(text: string): Setup {
  const [, letters = '', ...flags] = text.split('.');
  const wanted = letters.split('-');
  const passes = PASSES.filter((pass) => wanted.includes(RESULT_OF[pass]));
  return {
    passes: passes.length > 0 ? passes : PASSES,
    every: flags.includes('every'),
    careful: flags.includes('careful'),
  };
}

/** Earlier versions of the page also raced layers of known networks, "S1-R4.y", and "sweep-channels-R5". */
export const isOfOtherProblems = (text: string): boolean => /^[A-Z]\d|^sweep-/.test(text);

export const tasksOf = ({ passes }: Setup, desc: ConvDesc): readonly RaceTask[] =>
  passes.map((pass) => ({ desc, pass }));

export function requestOf(setup: Setup, desc: ConvDesc): RaceRequest {
  const [rounds, budget] = setup.careful ? [21, 2500] : [7, 600];
  return { type: 'race', tasks: tasksOf(setup, desc), every: setup.every, rounds, budget };
}

/** Estimate in seconds: mostly warm-up and the shortest time that the clock measures well. */
export function secondsOf({ tasks, every, rounds }: RaceRequest): number {
  const entrants = tasks.map(({ pass }) => (pass === 'backward_bias' ? 4 : every ? 16 : 10));
  return 2 + entrants.reduce((sum, count) => sum + count * (0.18 + rounds * 0.006), 0);
}

/** The results of a race, on this or another device. */
export interface RaceRecord {
  /** "Chromium 140" */
  readonly engine: string;
  readonly cores: number;
  /** Null if the record is from a link, which contains only times. */
  readonly machine: RaceMachine | null;
  readonly ceilings: RaceCeilings;
  /** In the order of the tasks; null: not raced. */
  readonly results: readonly (RaceResult | null)[];
}

export const NO_CEILINGS: RaceCeilings = { simd: null, relaxed: null, threads: null, bandwidth: null };

const ENGINES = [
  ['Edge', /\bEdg\/(\d+)/],
  ['Firefox', /\bFirefox\/(\d+)/],
  ['Chromium', /\b(?:HeadlessChrome|Chrom(?:e|ium))\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* .*\bSafari\b/],
] as const;

/** Browser engine and major version only, because records are shared. */
export function engineOf(userAgent: string): string {
  for (const [name, pattern] of ENGINES) {
    const version = pattern.exec(userAgent)?.[1];
    if (version) return `${name} ${version}`;
  }
  return 'a browser';
}

/** What a pass takes. */
export function costOf({ desc, pass }: RaceTask) {
  const [x, w, y] = [xShape(desc), wShape(desc), yShape(desc)].map(shapeSize) as [number, number, number];
  const bias = pass === 'backward_bias';
  const floats = bias ? y + desc.k : x + w + y + (pass === 'forward' ? desc.k : 0);
  return {
    /** Of the direct convolution, including taps on padding: algorithms that skip work can exceed the ceiling. */
    flops: bias ? y : 2 * y * (desc.c / desc.groups) * desc.kh * desc.kw,
    /** Minimum bytes that the pass reads and writes. */
    bytes: 4 * floats,
    /** Bytes of the im2col matrix. */
    x_col_bytes: (4 * y * desc.c * desc.kh * desc.kw) / desc.k,
  };
}

export interface Summary {
  readonly median: number;
  /** Lower and upper quartile. */
  readonly low: number;
  readonly high: number;
}

export function summaryOf(samples: readonly number[]): Summary | null {
  if (samples.length === 0) return null;
  const sorted = samples.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

/** Linear interpolation, as NumPy does by default. */
function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const below = Math.floor(at);
  const [left = Number.NaN, right = left] = [sorted[below], sorted[below + 1]];
  return left + (right - left) * (at - below);
}

/** A record as a JSON file, with the samples of every run. */
export function recordJson(record: RaceRecord, setup: string, date: Date): string {
  const results = record.results.map((result) => result && { name: 'this problem', ...costOf(result), ...result });
  const header = { format: 'conv2d-race', version: 1, date: date.toISOString(), setup };
  return `${JSON.stringify({ ...header, ...record, results }, null, 1)}\n`;
}

/** Bytes. A saved race has a hundredth of this. */
const MOST_BYTES = 4e6;

/** The setup and the times of a saved race, as in a link; null: the file is damaged, or is not a saved race. */
export function openRecordJson(content: string): { readonly setup: string; readonly times: string } | null {
  if (content.length > MOST_BYTES) return null;
  try {
    const { format, setup, ...record } = JSON.parse(content);
    return format === 'conv2d-race' && typeof setup === 'string' ? { setup, times: recordText(record) } : null;
  } catch {
    return null;
  }
}

/**
 * A record in a link: browser, cores, ceilings; then for each race, in order, the median time of every timed entrant in
 * microseconds, to three digits.
 *   Chromium-140:8:24.1:48.9:180:11.3~lf:1230,si:123,s:88,ri:71,r:40.2,t:13~...
 */
export const TIMES_PATTERN = /^[\w.,:~+-]{1,12000}$/;

const LETTERS: Readonly<Record<RaceBuild, string>> = { loops: 'l', simd: 's', relaxed: 'r', threads: 't' };
const SHORT: Readonly<Record<string, string>> = { formula: 'f', filters_last: 'l', im2col: 'i', '': '' };

/** More than any race has. */
const MOST_ENTRIES = 64;

const short = (value: number | null): string => (value === null ? '' : String(Number(value.toPrecision(3))));

export function recordText({ engine, cores, ceilings, results }: RaceRecord): string {
  const { simd, relaxed, threads, bandwidth } = ceilings;
  const browser = engine.replace(/[^A-Za-z0-9]+/g, '-');
  const head = [browser, String(cores), ...[simd, relaxed, threads, bandwidth].map(short)].join(':');
  return [head, ...results.map((result) => (result ? result.entries.flatMap(entryText).join(',') : ''))].join('~');
}

function entryText({ id, build, samples }: RaceEntry): string[] {
  const time = summaryOf(samples);
  const what = id.slice(build.length + 1);
  if (!time) return [];
  // At least 1 ns: on a busy device a batch can be shorter than a step of the clock.
  return [`${LETTERS[build]}${SHORT[what] ?? `.${what}`}:${short(Math.max(0.001, time.median * 1000))}`];
}

/** The record of a text for these tasks, or an error message. */
export function parseRecordText(text: string, tasks: readonly RaceTask[]): RaceRecord | string {
  const unreadable = 'The times in this link cannot be read.';
  if (!TIMES_PATTERN.test(text)) return unreadable;
  const [head = '', ...races] = text.split('~');
  const [browser = '', cores = '', ...tops] = head.split(':');
  const [simd = null, relaxed = null, threads = null, bandwidth = null] = tops.map(positive);
  if (browser === '' || tops.length !== Object.keys(NO_CEILINGS).length) return unreadable;
  if (races.length !== tasks.length)
    return `The times in this link do not match its setup: ${races.length} instead of ${tasks.length} races.`;
  const results = tasks.map((task, i) => {
    const entries = (races[i] ?? '').split(',').slice(0, MOST_ENTRIES).flatMap(parseEntry);
    return entries.length > 0 ? { ...task, entries, refusal: '' } : null;
  });
  const engine = browser.replaceAll('-', ' ').slice(0, 30);
  const ceilings = { simd, relaxed, threads, bandwidth };
  return { engine, cores: positive(cores) ?? 0, machine: null, ceilings, results };
}

const positive = (text: string): number | null => {
  const value = Number(text);
  return text !== '' && Number.isFinite(value) && value > 0 ? value : null;
};

function parseEntry(text: string): RaceEntry[] {
  const [code = '', digits = ''] = text.split(':');
  const time = positive(digits);
  const build = RACE_BUILDS.find((name) => LETTERS[name] === code[0]);
  const rest = code.slice(1);
  const what = rest.startsWith('.') ? rest.slice(1) : Object.keys(SHORT).find((name) => SHORT[name] === rest);
  if (time === null || !build || what === undefined || !/^\w{0,40}$/.test(what)) return [];
  return [
    {
      ...{ id: `${build}:${what}`, build, algorithm: what, threads: 1, fate: 'timed', reason: '', error: 0 },
      ...{ samples: [time / 1000], scratch_bytes: 0 },
    },
  ];
}
