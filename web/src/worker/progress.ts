import type { Step } from '../engine/session-heap';

/** phase: name for the user; fraction: 0..1 of the whole request. Must not throw. */
export type OnProgress = (phase: string, fraction: number) => void;

/** Progress of a request that consists of `units` parts of about the same duration. */
export class Progress {
  readonly #units: number;
  readonly #report: OnProgress;
  #finished = 0;

  constructor(units: number, report: OnProgress) {
    this.#units = units;
    this.#report = report;
  }

  /** Runs one part; `work` may report its progress. */
  part<T>(phase: string, work: (step: Step) => T): T {
    const base = this.#finished;
    this.#finished += 1;
    this.#report(phase, base / this.#units);
    return work((done, total) => this.#report(phase, (base + (total > 0 ? done / total : 1)) / this.#units));
  }
}
