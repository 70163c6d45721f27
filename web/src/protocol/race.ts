import type { ConvDesc, Pass } from './problem';

/** Messages between the page and the race worker. */

/** Implementations: plain loops, or a build of the library. */
export const RACE_BUILDS = ['loops', 'simd', 'relaxed', 'threads'] as const;
export type RaceBuild = (typeof RACE_BUILDS)[number];

/** One race: a pass of a problem. */
export interface RaceTask {
  readonly desc: ConvDesc;
  readonly pass: Pass;
}

export interface RaceRequest {
  readonly type: 'race';
  readonly tasks: readonly RaceTask[];
  /** All algorithms of a task, not only im2col and the library's choice. */
  readonly every: boolean;
  readonly rounds: number;
  /** Milliseconds per entrant, plus or minus three runs. */
  readonly budget: number;
}

/** `timed`: its result was correct, and it was timed. */
export type RaceFate = 'timed' | 'wrong' | 'failed' | 'left_out';

export interface RaceEntry {
  /** "loops:formula", "relaxed:im2col_gemm"; "relaxed:" is the library's own choice. */
  readonly id: string;
  readonly build: RaceBuild;
  readonly algorithm: string;
  readonly threads: number;
  readonly fate: RaceFate;
  /** Why it was not timed; else ''. */
  readonly reason: string;
  /** max |result - expected| / max |expected|. */
  readonly error: number;
  /** Milliseconds per run, for each round. */
  readonly samples: readonly number[];
  /** Memory in addition to the tensors. */
  readonly scratch_bytes: number;
}

export interface RaceResult extends RaceTask {
  readonly entries: readonly RaceEntry[];
  /** Why nothing was timed; else ''. */
  readonly refusal: string;
}

export interface RaceMachine {
  readonly cores: number;
  /** Resolution of the clock in milliseconds. */
  readonly clock_step: number;
  /** Why a build does not race; '' if it does. */
  readonly builds: Readonly<Record<RaceBuild, string>>;
  /** Number of threads of the build with threads. */
  readonly threads: number;
}

/** GFLOP/s of multiply-adds on registers, and bandwidth in GB/s; null if not measurable. */
export interface RaceCeilings {
  readonly simd: number | null;
  readonly relaxed: number | null;
  /** Of all threads of the build together. */
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
