import type { ConvDesc, Pass } from './problem';

/** What the page and the worker of a race say to each other. */

/** Who computes: loops that a person would write, or the library in one of its builds. */
export const RACE_BUILDS = ['loops', 'simd', 'relaxed', 'threads'] as const;
export type RaceBuild = (typeof RACE_BUILDS)[number];

/** One race: a pass of a problem. */
export interface RaceTask {
  /** "S1", "this problem" or the value of what is swept. */
  readonly name: string;
  readonly desc: ConvDesc;
  readonly pass: Pass;
}

export interface RaceRequest {
  readonly type: 'race';
  readonly tasks: readonly RaceTask[];
  /** Every algorithm that there is for a task, instead of im2col and the library's choice. */
  readonly every: boolean;
  readonly rounds: number;
  /** What one of those who race may take, in milliseconds, give or take three runs. */
  readonly budget: number;
}

/** `timed`: its result was right, and it was timed. */
export type RaceFate = 'timed' | 'wrong' | 'failed' | 'left_out';

export interface RaceEntry {
  /** "loops:formula", "relaxed:im2col_gemm"; "relaxed:" is the library's own choice. */
  readonly id: string;
  readonly build: RaceBuild;
  /** The one that ran. */
  readonly algorithm: string;
  readonly threads: number;
  readonly fate: RaceFate;
  /** Why it was not timed; else ''. */
  readonly reason: string;
  /** max |result - right result| / max |right result|. */
  readonly error: number;
  /** Milliseconds of a run, one number for each round. */
  readonly samples: readonly number[];
  /** The same where w is new each time; null where weights are not kept packed. */
  readonly unprepared: readonly number[] | null;
  /** Memory besides the tensors, and of the packed weights in it. */
  readonly scratch_bytes: number;
  readonly packed_bytes: number;
}

export interface RaceResult extends RaceTask {
  /** Of the direct convolution, padding taps included: who skips work may pass the ceiling. */
  readonly flops: number;
  /** Of what a pass reads and writes at least. */
  readonly bytes: number;
  /** Of the whole im2col matrix. */
  readonly x_col_bytes: number;
  readonly entries: readonly RaceEntry[];
  /** Why nobody was timed; else ''. */
  readonly refusal: string;
}

export interface RaceMachine {
  readonly cores: number;
  /** Shared memory, and so threads, may be used. */
  readonly isolated: boolean;
  /** Milliseconds. */
  readonly clock_step: number;
  /** '' for a build that races, else why it does not. */
  readonly builds: Readonly<Record<RaceBuild, string>>;
  /** Of the build with threads. */
  readonly threads: number;
}

/** GFLOP/s of multiply-adds on registers alone, and GB/s; null where it cannot be measured. */
export interface RaceCeilings {
  readonly simd: number | null;
  readonly relaxed: number | null;
  /** Of as many threads as the build has, all at once. */
  readonly threads: number | null;
  readonly bandwidth: number | null;
}

export type RaceMessage =
  | { readonly type: 'machine'; readonly machine: RaceMachine }
  | { readonly type: 'ceilings'; readonly ceilings: RaceCeilings }
  | { readonly type: 'progress'; readonly fraction: number; readonly what: string }
  | { readonly type: 'result'; readonly index: number; readonly result: RaceResult }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly message: string };
