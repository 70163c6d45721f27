import type { Geometry, Shape } from '../protocol/problem';
import type { QuestionKind, QuestionMap, QuestionOf } from '../protocol/questions';
import type { MainModule } from '../wasm/load';
import type { OnProgress } from './progress';
import type { SessionHeap } from './session-heap';

/** What follows from the problem that the session holds. */
export interface Problem {
  readonly geometry: Geometry;
  readonly x_shape: Shape;
  readonly w_shape: Shape;
  readonly y_shape: Shape;
}

export const biasShape = (problem: Problem): Shape => [1, 1, 1, problem.geometry.k];

/** What a question is answered from. */
export interface Asked {
  readonly module: MainModule;
  readonly heap: SessionHeap;
  readonly problem: Problem;
}

/** How one kind of question is answered; a file in questions/ exports one as `answerer`. */
export interface Answerer<K extends QuestionKind> {
  /** The question's fields: others are refused. */
  readonly fields: readonly (string & keyof QuestionMap[K]['ask'])[];
  /** Fetches what the answer takes beside the module, the first time; fails when that cannot be had. */
  readonly prepare?: () => Promise<void>;
  readonly answer: (asked: Asked, question: QuestionOf<K>, onProgress: OnProgress) => QuestionMap[K]['answer'];
}
