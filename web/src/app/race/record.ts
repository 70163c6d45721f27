import type { RaceCeilings, RaceMachine, RaceResult } from '../../protocol/race';

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
  ['Chromium', /\bChrom(?:e|ium)\/(\d+)/],
  ['Chromium', /\bHeadlessChrome\/(\d+)/],
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

/** Display name of an entry such as "loops:formula". */
export function nameOfEntry(id: string): string {
  const [build = '', what = ''] = id.split(':');
  if (build === 'loops') return LOOPS[what] ?? what;
  const how = what === '' ? 'the library’s choice' : what === 'im2col' ? 'im2col' : what;
  return `${how}, ${BUILDS[build] ?? build}`;
}

const LOOPS: Readonly<Record<string, string>> = {
  formula: 'plain loops',
  filters_last: 'plain loops, filters innermost',
};

const BUILDS: Readonly<Record<string, string>> = { simd: 'SIMD', relaxed: 'relaxed SIMD', threads: 'threads' };
