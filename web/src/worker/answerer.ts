import type { SessionHeap, Step } from '../engine/session-heap';
import type { LayerKind } from '../protocol/network';
import type {
  ConvDesc,
  Geometry,
  InputName,
  LossName,
  ParameterName,
  Shape,
  StageName,
  Tensor,
  TensorName,
} from '../protocol/problem';
import type { LearnAsk, Learned, QuestionKind, QuestionMap, QuestionOf } from '../protocol/questions';

/** The current problem of the session. */
export interface Problem {
  readonly geometry: Geometry;
  readonly shapes: Readonly<Record<TensorName, Shape>>;
}

/** Hidden values. If any cell of a tensor is hidden, all cells of its stages are. */
export interface Masks {
  any(name: TensorName | StageName): boolean;
  hides(name: TensorName | StageName, index: number): boolean;
  /** The tensor of the values, or of their terms, in a stage. */
  tensorOf(stage: StageName): TensorName;
  /** Whether the stage itself is hidden, not only cells of its tensor. */
  named(name: StageName): boolean;
  /** Replaces hidden cells of tensor `name` by NaN. The statistics are those of the other cells. */
  blank(tensor: Tensor, name: TensorName): Tensor;
  blankWhere(tensor: Tensor, isHidden: (index: number) => boolean): Tensor;
  /** A stage with NaN for copies of hidden cells of tensor `name`. `move` computes the stage from `as`. */
  moved(name: TensorName, as: 'x' | 'w' | 'dy', move: () => void): Float32Array;
}

/** A check of the gradient of one parameter. */
export interface CheckOptions {
  readonly loss: LossName;
  readonly parameter: ParameterName;
  readonly float64: boolean;
  /** null: the linear loss, with the current dy. */
  readonly target: Float32Array | null;
  /** Cells of the parameter; empty: all. */
  readonly indices: Int32Array;
}

/** One step of a check: the summary and the table of the library, a row for each column of `cells` entries. */
export type CheckOnce = (epsilon: number) => {
  readonly cells: number;
  readonly verdict: number;
  readonly max_absolute_error: number;
  readonly max_relative_error: number;
  readonly table: Float64Array;
};

/** All of LearnAsk except the number of steps. */
export type LearnSettings = Omit<LearnAsk, 'steps'>;

export interface AnyDescent {
  /** The state after `steps` steps, or after the last step with a finite loss. */
  at(steps: number): Learned;
  dispose(): void;
}

/** What a layer computes from. */
export interface LayerInputs {
  readonly kind: LayerKind;
  readonly desc: ConvDesc;
  /** Of average pooling: the padding counts as cells. */
  readonly countsPadding: boolean;
  readonly values: (name: InputName) => Float32Array;
}

/** Answers about the whole network of the open layer. */
export interface NetworkAnswers {
  output(): Float32Array;
  /** A session with these tensors of a convolution, of its x, w and dy; valid until the next call. `layer`: counted from 0. */
  factors(layer: number, names: readonly TensorName[]): SessionHeap;
  /** Copies of the inputs of a layer, counted from 0. */
  inputs(layer: number): LayerInputs;
  /** Checks the open layer with the loss at the end of the network. */
  checks<Value>(options: CheckOptions, act: (once: CheckOnce) => Value): Value;
  /** A descent of all layers, with a chain of its own: it does not change the problem. */
  descent(settings: LearnSettings): AnyDescent;
}

/** The data for answering a question. */
export interface QuestionContext {
  readonly heap: SessionHeap;
  readonly problem: Problem;
  /** Null: nothing is hidden. */
  readonly masks: Masks | null;
  /** The problem is the open layer of a network. Null: it is the only layer. */
  readonly network: NetworkAnswers | null;
}

/** Answers one kind of question. Each file in questions/ exports one as `answerer`. */
export interface Answerer<K extends QuestionKind> {
  /** The fields of the question; other fields are rejected. */
  readonly fields: readonly (string & keyof QuestionMap[K]['ask'])[];
  readonly optional?: readonly (string & keyof QuestionMap[K]['ask'])[];
  /** Loads further modules before the first answer. Rejects if that fails. */
  readonly prepare?: () => Promise<void>;
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
