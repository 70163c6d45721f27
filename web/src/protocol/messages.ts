import type { NetworkContent, NetworkRequest, NetworkResult } from './network';
import type {
  ConvDesc,
  ConvError,
  Geometry,
  Hidden,
  LossName,
  Pass,
  Shape,
  Tensor,
  TensorName,
  TensorStats,
} from './problem';
import type { Question, QuestionMap } from './questions';

/** Values for the session, or 'resident': keep the tensor of the previous request. */
export type TensorInput = Float32Array | 'resident';

/** The upstream gradient. The engine creates it, because its shape follows from the geometry. */
export type DySource =
  | { readonly kind: 'ones' }
  /** Integers from -4 to 4, for sums that are easy to follow; the same seed gives the same values. */
  | { readonly kind: 'random'; readonly seed: number }
  /** 1 at the flat index into y, 0 elsewhere. */
  | { readonly kind: 'one_hot'; readonly index: number }
  /** Painted cells for an output of `shape` (layout order); cells outside of it are 0. */
  | { readonly kind: 'values'; readonly shape: Shape; readonly data: Float32Array }
  /** The gradient of a loss between y and a target of y's length (null: all 0); y is computed for it if necessary. */
  | { readonly kind: 'mse' | 'log_cosh'; readonly target: Float32Array | null };

/**
 * Computes all results for one problem. Results that depend only on resident tensors are kept from the previous request.
 */
export interface ComputeRequest {
  readonly type: 'compute';
  readonly desc: ConvDesc;
  readonly x: TensorInput;
  readonly w: TensorInput;
  readonly b: TensorInput | null;
  /** 'resident': the source of the previous request, which had the same sizes. */
  readonly dy: DySource | 'resident';
  readonly passes: readonly Pass[];
  /** Algorithms by name; for other passes the library chooses. */
  readonly algorithms: Readonly<Partial<Record<Pass, string>>>;
  /** Values that must not be sent to the page: they are NaN in the result and in all answers about it. */
  readonly hidden?: readonly Hidden[];
  /** x and dy are then those of the whole network; no tensor is resident, and none is hidden. */
  readonly network?: NetworkRequest;
}

/** How a pass was run, in this or an earlier request. */
export interface RunReport {
  readonly algorithm: string;
  readonly milliseconds: number;
  readonly threads: number;
}

export interface ComputeResult {
  readonly type: 'compute';
  /** Identifies the problem in the session; questions about it contain it. */
  readonly revision: number;
  readonly geometry: Geometry;
  /** Whether any value is hidden; a NaN may then be a hidden value. */
  readonly hides?: true;
  /** Statistics of the visible values of x, w and b (null without bias), for color scales. */
  readonly input_stats: { readonly x: TensorStats; readonly w: TensorStats; readonly b: TensorStats | null };
  /**
   * Computed tensors, and dy. w and b are sent only if cells of them are hidden; x also if another layer computes it.
   */
  readonly tensors: Tensors;
  /** Tensors that equal those of the previous result and are not sent; the client inserts them. */
  readonly unchanged?: readonly TensorName[];
  /** The loss at y and its target; null if dy is not the gradient of a loss. */
  readonly loss: number | null;
  readonly runs: Readonly<Partial<Record<Pass, RunReport>>>;
  readonly network?: NetworkResult;
}

export type Tensors = Readonly<Partial<Record<TensorName, Tensor>>>;

/** A result and the inputs that it was computed from. Views draw it and compute nothing. */
export interface Content {
  /** Identifies the result in questions about it. */
  readonly revision: number;
  readonly geometry: Geometry;
  /** The description that the controls show; `geometry` is derived from it. */
  readonly desc: ConvDesc;
  /** Inputs and results; a result that was not computed is missing. */
  readonly tensors: Tensors;
  /** x is a photo with values 0..1 and is drawn as one. */
  readonly photo: boolean;
  /** The loss at y, with dy as its gradient; null: dy is set directly. */
  readonly loss: Loss | null;
  readonly runs: ComputeResult['runs'];
  /** The problem is a layer of a network. */
  readonly network?: NetworkContent;
}

export interface Loss {
  readonly kind: Exclude<LossName, 'linear'>;
  readonly value: number;
  /** null: 0 everywhere. */
  readonly target: Float32Array | null;
}

/** Decode an image file in the worker; the values are 0..1 (0..255 scaled), NHWC with n = 1. */
export interface DecodeImageRequest {
  readonly type: 'decode_image';
  readonly file: Blob;
  /** 1: gray of ITU-R BT.601: 0.299 R + 0.587 G + 0.114 B. */
  readonly channels: 1 | 3;
  /** Larger images are scaled down so that no side exceeds this. */
  readonly max_side: number;
}

export interface DecodeImageResult {
  readonly type: 'decode_image';
  readonly tensor: Tensor;
  /** Size of the file's image before scaling, in pixels. */
  readonly original_width: number;
  readonly original_height: number;
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

export type Request = ComputeRequest | DecodeImageRequest | QuestionRequest;
export type Result = ComputeResult | DecodeImageResult | QuestionResult;

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
      /** Name of the current step: "forward", "backward_data", "reading image". */
      readonly phase: string;
      /** 0..1 of the whole request. */
      readonly fraction: number;
    }
  | { readonly type: 'result'; readonly id: number; readonly result: Result; readonly memory: Memory }
  | { readonly type: 'error'; readonly id: number; readonly error: ConvError };
