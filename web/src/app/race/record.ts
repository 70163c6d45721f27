import type { RaceCeilings, RaceMachine, RaceResult } from '../../protocol/race';

/** What came out of a race, here or elsewhere. */
export interface RaceRecord {
  /** "Chromium 140" */
  readonly engine: string;
  readonly cores: number;
  /** Null where a link told it, which carries times alone. */
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

/** The engine and its version, and no more: a record travels. */
export function engineOf(userAgent: string): string {
  for (const [name, pattern] of ENGINES) {
    const version = pattern.exec(userAgent)?.[1];
    if (version) return `${name} ${version}`;
  }
  return 'a browser';
}

/** "loops:formula" as a person reads it. */
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
