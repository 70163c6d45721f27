import type { LayerRow, SessionHeap, Step } from '../engine/session-heap';
import { plainGeometry } from '../engine/validate';
import type { Memory } from '../protocol/messages';
import type { Geometry, Shape, TensorName } from '../protocol/problem';
import type { QuestionKind, QuestionMap, QuestionOf } from '../protocol/questions';
import type { Chain } from './chain';
import type { Masks } from './masks';

/** A layer of the session as a problem. */
export interface SessionLayer {
  readonly geometry: Geometry;
  readonly shapes: Readonly<Record<TensorName, Shape>>;
}

/** Precondition: the session has the layer. */
export const rowOf = ({ rows, layer }: SessionHeap): LayerRow => rows[layer] as LayerRow;

export function problemIn(heap: SessionHeap): SessionLayer {
  const { x_shape: x, w_shape: w, y_shape: y, b_size, geometry } = rowOf(heap);
  const b: Shape = [1, 1, 1, b_size];
  return {
    geometry: plainGeometry(heap.module, geometry),
    shapes: { x, w, b, y, dy: y, dx: x, dw: w, db: b },
  };
}

/** The data for answering a question. */
export interface QuestionContext {
  /** The session, as the layer that the question is about. */
  readonly heap: SessionHeap;
  readonly problem: SessionLayer;
  /** All layers. */
  readonly chain: Chain;
  /** Null: nothing is hidden. */
  readonly masks: Masks | null;
  /** What an answer keeps for the next one of the same result. `end` frees it; every compute calls it. */
  readonly kept: { end?: () => void };
}

/** Another module of a worker, with tensors of its own. */
export interface Beside extends Memory {
  /** Frees the tensors. */
  readonly clear: () => void;
}

/** The engine that a question is for. */
export interface Host {
  /** The module that answers with copies of the tensors (mistakes.ts); null: not loaded. Every compute clears it. */
  answering: Beside | null;
}

/** Answers one kind of question. */
export interface Answerer<K extends QuestionKind> {
  /** Loads further modules before the first answer. Rejects if that fails. */
  readonly prepare?: (host?: Host) => Promise<void>;
  readonly answer: (
    context: QuestionContext,
    question: QuestionOf<K>,
    onProgress: OnProgress,
  ) => QuestionMap[K]['answer'];
  /** Removes hidden values from an answer. Without it, the question is rejected while any value is hidden. */
  readonly hide?: (
    context: QuestionContext,
    question: QuestionOf<K>,
    answer: QuestionMap[K]['answer'],
    masks: Masks,
  ) => QuestionMap[K]['answer'];
}

/** phase: name for the user; fraction: 0..1 of the whole request. Must not throw. */
export type OnProgress = (phase: string, fraction: number) => void;

/** Progress of a request that consists of `units` parts of about the same duration. */
export class Progress {
  #finished = 0;

  constructor(
    private readonly units: number,
    private readonly report: OnProgress,
  ) {}

  /** Runs one part; `work` may report its progress. */
  part<T>(phase: string, work: (step: Step) => T): T {
    const base = this.#finished;
    this.#finished += 1;
    this.report(phase, base / this.units);
    return work((done, total) => this.report(phase, (base + (total > 0 ? done / total : 1)) / this.units));
  }
}
