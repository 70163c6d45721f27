import type { ConvDesc, Pass } from '../../protocol/problem';
import type { RaceBuild, RaceTask } from '../../protocol/race';

/** Numbers that all race with. */
export type RaceInputs = Readonly<Record<'x' | 'w' | 'b' | 'dy', Float32Array>>;

export interface Course extends RaceTask {
  readonly inputs: RaceInputs;
}

/** A way of computing a course, made ready: tensors where it has them, memory reserved. */
export interface Runner {
  readonly algorithm: string;
  readonly threads: number;
  readonly scratch_bytes: number;
  readonly packed_bytes: number;
  /** The pass alone. */
  readonly run: () => void;
  /** The same where w has changed since the last run; null where nothing is kept of w. */
  readonly runUnprepared: (() => void) | null;
  /** What the last run made. A view: good until the next call. */
  readonly result: () => Float32Array;
  readonly dispose: () => void;
}

/** Somebody who may race. */
export interface Contender {
  readonly id: string;
  readonly build: RaceBuild;
  /** '' or why it does not race here. */
  readonly whyNot: (desc: ConvDesc, pass: Pass) => string;
  readonly prepare: (course: Course) => Runner;
}
