import type { Pass } from '../../src/protocol/problem';

/** The JSON result of a benchmark run. Times are milliseconds per call. */

export interface Timing {
  readonly median: number;
  /** One value per round. */
  readonly samples: readonly number[];
}

/** The times of a form that computed the right result. */
export interface Entry {
  readonly party: string;
  readonly form: string;
  /** The pass alone, with resident inputs and weights. */
  readonly kernel: Timing;
  /** The pass with copies in and out and conversions from and to NHWC. */
  readonly endToEnd?: Timing;
  /** max |difference to the reference| / max |reference|. */
  readonly error?: number;
  /** The algorithm that the plan chose. */
  readonly algorithm?: string;
  readonly workspaceFloats?: number;
  /** A handicap of this party, and whether it was removed before timing. */
  readonly note?: string;
}

/** A form that failed or computed a wrong result. It is not timed. */
export interface Failure {
  readonly party: string;
  readonly form: string;
  readonly what: string;
}

export interface Race {
  readonly shape: string;
  readonly pass: Pass;
  /** Flops of the direct convolution, padding taps included. */
  readonly flops: number;
  /** |x| + |w| + |y| in floats. */
  readonly tensorFloats: number;
  readonly entries: readonly Entry[];
  readonly failures: readonly Failure[];
}

/** A training step of a network. */
export interface NetworkRace {
  readonly network: string;
  /** Its layers and sizes. */
  readonly size: string;
  readonly entries: readonly Entry[];
  readonly failures: readonly Failure[];
}

/** The algorithm that the plan chose and the fastest one of the same party. Both were timed by name. */
export interface Choice {
  readonly shape: string;
  readonly pass: Pass;
  readonly party: string;
  readonly chosen: string;
  readonly time: number;
  readonly best: string;
  readonly bestTime: number;
  /** time / bestTime: 1 if the fastest algorithm was chosen. */
  readonly ratio: number;
}

/** How much slower than the fastest algorithms the choices of a party are. */
export interface ChoiceSummary {
  readonly party: string;
  readonly races: number;
  /** Races in which the chosen algorithm is the fastest, and those in which it is at most 2 % slower. */
  readonly best: number;
  readonly close: number;
  /** Geometric mean of the ratios. */
  readonly mean: number;
  readonly meanByPass: Readonly<Partial<Record<Pass, number>>>;
  readonly worst: Choice;
}

export interface Ceiling {
  /** GFLOP/s of one thread. */
  readonly median: number;
  readonly best: number;
}

/** A named shape (tests/problems/named_shapes.json). */
export interface ShapeNote {
  readonly name: string;
  readonly note: string;
  /** For example "1 x 56 x 56 x 64 -> 128, 3 x 3, stride 2". */
  readonly size: string;
}

export interface BenchResult {
  readonly where: 'chromium' | 'native';
  readonly date: string;
  readonly machine: string;
  readonly engine: string;
  readonly threads: number;
  readonly rounds: number;
  /** Versions by name. */
  readonly parties: Readonly<Record<string, string>>;
  /** Parties that failed to load, with the reason. */
  readonly absent?: Readonly<Record<string, string>>;
  /** By kind: `relaxed` and `simd` in a browser, the instruction set in a native run. */
  readonly ceilings: Readonly<Record<string, Ceiling>>;
  readonly races: readonly Race[];
  readonly networks?: readonly NetworkRace[];
  /** The shapes of the races. */
  readonly shapes?: readonly ShapeNote[];
  /** Present if several algorithms of a party were timed. */
  readonly choices?: readonly Choice[];
  readonly choiceSummaries?: readonly ChoiceSummary[];
}
