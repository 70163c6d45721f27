import type { Pass } from '../../src/protocol/problem';

/** What a run of the benchmark knows: written as JSON, read by the report. Times are milliseconds per call. */

export interface Timing {
  readonly median: number;
  /** One value per round. */
  readonly samples: readonly number[];
}

/** One way of one party that computed the right result. */
export interface Entry {
  readonly party: string;
  readonly form: string;
  /** The pass alone, everything resident. */
  readonly kernel: Timing;
  /** With the copies and layout changes that a user of NHWC data waits for. */
  readonly endToEnd?: Timing;
  /** max |difference to the reference| / max |reference|. */
  readonly error?: number;
  /** The algorithm that a plan chose. */
  readonly algorithm?: string;
  readonly workspaceFloats?: number;
  /** What was in the way of this party and was put right before timing, or could not be. */
  readonly note?: string;
}

/** A way that failed or computed something else; it is not timed. */
export interface Failure {
  readonly party: string;
  readonly form: string;
  readonly what: string;
}

export interface Race {
  readonly shape: string;
  readonly pass: Pass;
  /** Of the direct convolution, padding taps included. */
  readonly flops: number;
  /** |x| + |w| + |y| in floats. */
  readonly tensorFloats: number;
  readonly entries: readonly Entry[];
  readonly failures: readonly Failure[];
}

/** What the plan chose, and the fastest algorithm of the same party: each timed by its name. */
export interface Choice {
  readonly shape: string;
  readonly pass: Pass;
  readonly party: string;
  readonly chosen: string;
  readonly time: number;
  readonly best: string;
  readonly bestTime: number;
  /** time / bestTime: 1 where the choice is the best. */
  readonly ratio: number;
}

/** How far the choices of a party are from the best. */
export interface ChoiceSummary {
  readonly party: string;
  readonly races: number;
  /** Races in which the fastest was chosen, and those in which what was chosen is hardly slower. */
  readonly best: number;
  readonly close: number;
  /** Geometric means of the choices' ratios. */
  readonly mean: number;
  readonly meanByPass: Readonly<Partial<Record<Pass, number>>>;
  readonly worst: Choice;
}

export interface Ceiling {
  /** Median and best of the run, GFLOP/s of one thread. */
  readonly median: number;
  readonly best: number;
}

export interface BenchResult {
  readonly where: 'chromium' | 'native';
  readonly date: string;
  readonly machine: string;
  readonly engine: string;
  readonly threads: number;
  readonly rounds: number;
  /** Names and versions. */
  readonly parties: Readonly<Record<string, string>>;
  /** Those that could not be loaded, and why. */
  readonly absent?: Readonly<Record<string, string>>;
  /** By kind: `relaxed` and `simd` in a browser, the instruction set natively. */
  readonly ceilings: Readonly<Record<string, Ceiling>>;
  readonly races: readonly Race[];
  /** Where several algorithms of a party were timed. */
  readonly choices?: readonly Choice[];
  readonly choiceSummaries?: readonly ChoiceSummary[];
}
