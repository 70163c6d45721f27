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
}
