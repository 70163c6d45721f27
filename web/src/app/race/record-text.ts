import { RACE_BUILDS, type RaceBuild, type RaceEntry, type RaceTask } from '../../protocol/race';
import { NO_CEILINGS, type RaceRecord } from './record';
import { summaryOf } from './statistics';
import { withoutEntries } from './tasks';

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

const short = (value: number): string => String(Number(value.toPrecision(3)));
const optional = (value: number | null): string => (value === null ? '' : short(value));

export function recordText({ engine, cores, ceilings, results }: RaceRecord): string {
  const { simd, relaxed, threads, bandwidth } = ceilings;
  const browser = engine.replace(/[^A-Za-z0-9]+/g, '-');
  const head = [browser, String(cores), ...[simd, relaxed, threads, bandwidth].map(optional)].join(':');
  return [head, ...results.map((result) => (result ? result.entries.flatMap(entryText).join(',') : ''))].join('~');
}

function entryText({ id, build, samples }: RaceEntry): string[] {
  const time = summaryOf(samples);
  const what = id.slice(build.length + 1);
  return time ? [`${LETTERS[build]}${SHORT[what] ?? `.${what}`}:${short(time.median * 1000)}`] : [];
}

/** The record of a text for these tasks, or an error message. */
export function parseRecordText(text: string, tasks: readonly RaceTask[]): RaceRecord | string {
  if (!TIMES_PATTERN.test(text)) return UNREADABLE;
  const [head = '', ...races] = text.split('~');
  const [browser = '', cores = '', ...tops] = head.split(':');
  const [simd, relaxed, threads, bandwidth] = tops.map(positive);
  const ceilings = {
    simd: simd ?? null,
    relaxed: relaxed ?? null,
    threads: threads ?? null,
    bandwidth: bandwidth ?? null,
  };
  if (browser === '' || tops.length !== Object.keys(NO_CEILINGS).length) return UNREADABLE;
  if (races.length !== tasks.length)
    return `The times in this link do not match its setup: ${races.length} instead of ${tasks.length} races.`;
  const results = tasks.map((task, i) => {
    const entries = (races[i] ?? '').split(',').slice(0, MOST_ENTRIES).flatMap(parseEntry);
    return entries.length > 0 ? { ...withoutEntries(task), entries } : null;
  });
  return {
    engine: browser.replaceAll('-', ' ').slice(0, 30),
    cores: positive(cores) ?? 0,
    machine: null,
    ceilings,
    results,
  };
}

const UNREADABLE = 'The times in this link cannot be read.';

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
      ...{ samples: [time / 1000], unprepared: null, scratch_bytes: 0, packed_bytes: 0 },
    },
  ];
}
