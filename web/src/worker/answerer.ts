import type { SessionHeap } from '../engine/session-heap';
import type { Geometry, Shape, StageName, Tensor, TensorName } from '../protocol/problem';
import type { QuestionKind, QuestionMap, QuestionOf } from '../protocol/questions';
import type { MainModule } from '../wasm/module';
import type { OnProgress } from './progress';

/** What follows from the problem that the session holds. */
export interface Problem {
  readonly geometry: Geometry;
  readonly x_shape: Shape;
  readonly w_shape: Shape;
  readonly y_shape: Shape;
}

export const biasShape = (problem: Problem): Shape => [1, 1, 1, problem.geometry.k];

/** What of the problem must not be told. A cell of a stage is hidden as soon as any of its tensor's is. */
export interface Masks {
  any(name: TensorName | StageName): boolean;
  hides(name: TensorName | StageName, index: number): boolean;
  /** The stage itself is hidden, not only what it was made of. */
  named(name: StageName): boolean;
  /** The same tensor with NaN for what is hidden of the one called so, and the statistics of the rest. */
  blank(tensor: Tensor, name: TensorName): Tensor;
  blankWhere(tensor: Tensor, isHidden: (index: number) => boolean): Tensor;
  /** A stage with NaN where the copies of a tensor's hidden cells lie; `move` has the library make that stage from `as`. */
  moved(name: TensorName, as: 'x' | 'w' | 'dy', move: () => void): Float32Array;
}

/** What a question is answered from. */
export interface Asked {
  readonly module: MainModule;
  readonly heap: SessionHeap;
  readonly problem: Problem;
  /** Null: nothing is hidden. */
  readonly masks: Masks | null;
}

/** How one kind of question is answered; a file in questions/ exports one as `answerer`. */
export interface Answerer<K extends QuestionKind> {
  /** The question's fields: others are refused. */
  readonly fields: readonly (string & keyof QuestionMap[K]['ask'])[];
  /** Fields that may be missing. */
  readonly optional?: readonly (string & keyof QuestionMap[K]['ask'])[];
  /** Fetches what the answer takes beside the module, the first time; fails when that cannot be had. */
  readonly prepare?: () => Promise<void>;
  readonly answer: (asked: Asked, question: QuestionOf<K>, onProgress: OnProgress) => QuestionMap[K]['answer'];
  /** Takes out of an answer what is hidden. Without it, the question is refused while anything is. */
  readonly hide?: (
    asked: Asked,
    question: QuestionOf<K>,
    answer: QuestionMap[K]['answer'],
    masks: Masks,
  ) => QuestionMap[K]['answer'];
}
