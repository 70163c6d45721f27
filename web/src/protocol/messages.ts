import type { Extras, PlaneSizes, SentLayer, TensorInput } from './layers';
import type {
  ConvDesc,
  ConvError,
  Geometry,
  HiddenCells,
  InputName,
  Pass,
  Shape,
  Tensor,
  TensorName,
  TensorStats,
} from './problem';
import type { Question, QuestionMap } from './questions';

/** dy as it is given. The engine creates it, because its shape follows from the geometry. */
export type SentDy =
  | { readonly kind: 'ones' }
  /** Integers from -4 to 4, for sums that are easy to follow; the same seed gives the same values. */
  | { readonly kind: 'random'; readonly seed: number }
  /** 1 at the flat index into y, 0 elsewhere. */
  | { readonly kind: 'one_hot'; readonly index: number }
  /** Painted cells for an output of `shape` (layout order); cells outside of it are 0. */
  | { readonly kind: 'values'; readonly shape: Shape; readonly data: Float32Array };

/** The end of a problem: dy is given ('resident': that of the previous request, which had the same sizes), or computed. */
export type SentLoss = { readonly kind: 'given'; readonly dy: SentDy | 'resident' } | SentTarget;

/** The gradient of a loss, by its name in the library, between y and a target of y's length (null: all 0). */
export interface SentTarget {
  readonly kind: string;
  readonly target: TensorInput | null;
}

/**
 * Computes all results for one problem. Results that depend only on resident tensors are kept from the previous request.
 */
export interface ComputeRequest {
  readonly type: 'compute';
  /** Sizes of x. */
  readonly input: PlaneSizes;
  readonly x: TensorInput;
  /** The first one reads x, each other one the output of the one before it. */
  readonly layers: readonly SentLayer[];
  readonly loss: SentLoss;
  /** Values that must not be sent to the page: they are NaN in the result and in all answers about it. */
  readonly hidden: readonly HiddenCells[];
}

/** How a pass was run, in this or an earlier request. */
export interface RunReport {
  readonly algorithm: string;
  readonly milliseconds: number;
  readonly threads: number;
}

export type Runs = Readonly<Partial<Record<Pass, RunReport>>>;
export type Tensors = Readonly<Partial<Record<TensorName, Tensor>>>;

/** What the library computed for one layer. */
export interface LayerResult {
  /** x is its input, y its output; without weights, as a window with k = groups = c. */
  readonly geometry: Geometry;
  /**
   * Its results, and dy. Of the first layer also dx; that of another one is the dy of the layer before it, as its x is the y of that layer.
   * w, b, and x of the first layer, are sent only if cells of them are hidden.
   */
  readonly tensors: Tensors;
  /** Tensors that equal those of the previous result and are not sent; the client inserts them. */
  readonly unchanged: readonly TensorName[];
  /** Missing if y did not change: those of the previous result. */
  readonly extras?: Extras;
  /** Statistics of the visible values, for color scales; null: there is no such tensor. */
  readonly stats: { readonly w: TensorStats | null; readonly b: TensorStats | null };
  readonly runs: Runs;
}

export interface ComputeResult {
  readonly type: 'compute';
  /** Identifies the problem in the session; questions about it contain it. */
  readonly revision: number;
  /** Whether any value is hidden; a NaN may then be a hidden value. */
  readonly hides?: true;
  /** Statistics of the visible values of x, for color scales. */
  readonly x_stats: TensorStats;
  readonly layers: readonly LayerResult[];
  /** The loss at the end; null if dy is not the gradient of a loss. */
  readonly loss: number | null;
}

/** A layer of a result with its inputs, as if it were the whole problem. The same object while nothing in it changed. */
export interface LayerContent extends Extras {
  /** Counted from 0. */
  readonly index: number;
  /** Of layers/list.ts, with its fields. */
  readonly kind: string;
  readonly fields: unknown;
  /** "max pooling 2 × 2" */
  readonly title: string;
  readonly geometry: Geometry;
  /** The description that the controls show; `geometry` is derived from it. */
  readonly desc: ConvDesc;
  /** Inputs and results; a result that was not computed is missing. x is the y of the layer before, and dx its dy. */
  readonly tensors: Tensors;
  /** Inputs that other layers compute, and what they are there: "output of layer 1", "dx of layer 3". */
  readonly fixed: Readonly<Partial<Record<InputName, string>>>;
  /** x is a photo with values 0..1 and is drawn as one. */
  readonly photo: boolean;
  /** The loss at y, with dy as its gradient; null: dy is given, or another layer computes it. */
  readonly loss: LossValue | null;
  readonly runs: Runs;
}

/** The layer of a result that the views draw. They compute nothing. */
export interface Content extends LayerContent {
  /** Identifies the result in questions about it. */
  readonly revision: number;
  /** All layers of the result. */
  readonly layers: readonly LayerContent[];
}

export interface LossValue {
  /** Its name in the library. */
  readonly kind: string;
  readonly value: number;
  /** null: 0 everywhere. */
  readonly target: Float32Array | null;
}

/** The values of an image are 0..1 (0..255 scaled), NHWC with n = 1. */
export interface ImageRequest {
  readonly type: 'image';
  readonly pixels: Pick<ImageData, 'data' | 'width' | 'height'>;
  /** 1: gray of ITU-R BT.601: 0.299 R + 0.587 G + 0.114 B. */
  readonly channels: 1 | 3;
}

export interface ImageResult {
  readonly type: 'image';
  readonly tensor: Tensor;
}

/**
 * A question about the problem of the last compute. If the session has another problem by then, the answer is the error 'stale'.
 */
export interface QuestionRequest {
  readonly type: 'question';
  /** The revision of the ComputeResult that it is about. */
  readonly revision: number;
  readonly question: Question;
}

export interface QuestionResult {
  readonly type: 'question';
  readonly answer: QuestionMap[keyof QuestionMap]['answer'];
}

export type Request = ComputeRequest | ImageRequest | QuestionRequest;
export type Result = ComputeResult | ImageResult | QuestionResult;

export type ResultOf<R extends Request> = Extract<Result, { type: R['type'] }>;

/**
 * How a request ended. `dropped` needs no message: a newer request replaced it, the user cancelled it, or its problem is no
 * longer current.
 */
export type Outcome<T> =
  | { readonly status: 'done'; readonly result: T }
  | { readonly status: 'failed'; readonly error: ConvError }
  | { readonly status: 'dropped'; readonly why: 'superseded' | 'cancelled' | 'stale' };

export type ModuleVariant = 'simd' | 'relaxed';

/**
 * Page -> worker. `id` grows with every request; the reply carries the same id. The id of a compute becomes the
 * revision of its result.
 */
export interface WorkerRequest {
  readonly id: number;
  readonly request: Request;
}

/** Memory of the module in bytes. `held` never shrinks. */
export interface Memory {
  readonly held: number;
  readonly used: number;
}

/** Worker -> page. */
export type WorkerMessage =
  | { readonly type: 'ready'; readonly variant: ModuleVariant }
  | { readonly type: 'failed_to_start'; readonly error: ConvError }
  | {
      readonly type: 'progress';
      readonly id: number;
      /** Name of the current step: "forward", "backward_data". */
      readonly phase: string;
      /** 0..1 of the whole request. */
      readonly fraction: number;
    }
  | { readonly type: 'result'; readonly id: number; readonly result: Result; readonly memory: Memory }
  | { readonly type: 'error'; readonly id: number; readonly error: ConvError };
