import type { ConvDesc, Pass } from '../../protocol/problem';
import type { RaceBuild, RaceTask } from '../../protocol/race';

/** Inputs of all entrants. */
export type RaceInputs = Readonly<Record<'x' | 'w' | 'b' | 'dy', Float32Array>>;

export interface PreparedTask extends RaceTask {
  readonly inputs: RaceInputs;
}

/** An entrant that is prepared for a task: tensors are copied and memory is allocated. */
export interface Runner {
  readonly algorithm: string;
  readonly threads: number;
  readonly scratch_bytes: number;
  readonly packed_bytes: number;
  /** Runs the pass. */
  readonly run: () => void;
  /** Runs the pass after a change of w; null if the entrant does not pack w. */
  readonly runUnprepared: (() => void) | null;
  /** The result of the last run: a view, valid until the next call. */
  readonly result: () => Float32Array;
  readonly dispose: () => void;
}

/** An implementation that may race. */
export interface Entrant {
  readonly id: string;
  readonly build: RaceBuild;
  /** Why it does not support the problem; '' if it does. */
  readonly whyNot: (desc: ConvDesc, pass: Pass) => string;
  readonly prepare: (task: PreparedTask) => Runner;
}
