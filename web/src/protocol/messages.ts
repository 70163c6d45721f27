import type { Hidden } from './cell';
import type { ConvError } from './errors';
import type { ConvDesc, Geometry, Pass, Shape, Tensor, TensorName, TensorStats } from './problem';
import type { Question, QuestionMap } from './questions';

/** Values to write into the session, or 'resident': what the session holds from the request before. */
export type TensorInput = Float32Array | 'resident';

/** The upstream gradient. Its shape follows from the geometry, so the engine makes it. */
export type DySource =
  | { readonly kind: 'ones' }
  /** Whole numbers from -4 to 4, so that sums can be followed by head; the same seed gives the same numbers. */
  | { readonly kind: 'random'; readonly seed: number }
  /** 1 at the flat index into y, 0 elsewhere. */
  | { readonly kind: 'one_hot'; readonly index: number }
  /** Cells painted by hand for an output of `shape` (layout order); cells outside of it are 0. */
  | { readonly kind: 'values'; readonly shape: Shape; readonly data: Float32Array }
  /** The gradient of a loss between y and a target of y's length (null: 0 everywhere); y is computed for it if need be. */
  | { readonly kind: 'mse' | 'log_cosh'; readonly target: Float32Array | null };

/** Everything the page wants to know about one problem, computed in one go. */
export interface ComputeRequest {
  readonly type: 'compute';
  readonly desc: ConvDesc;
  readonly x: TensorInput;
  readonly w: TensorInput;
  readonly b: TensorInput | null;
  readonly dy: DySource;
  readonly passes: readonly Pass[];
  /** Force an algorithm by name; passes not named are planned. */
  readonly algorithms: Readonly<Partial<Record<Pass, string>>>;
  /** Numbers that must not be sent back, neither in the result nor in any answer about it: there NaN stands in their place. */
  readonly hidden?: readonly Hidden[];
}

export interface AlgorithmInfo {
  readonly name: string;
  readonly description: string;
  readonly supported: boolean;
  /** Why not, when not supported. */
  readonly reason: string;
  readonly workspace_floats: number;
  readonly cost: number;
  /**
   * |result - exact| <= error_bound * 2^-24 * the sum of |a| * |b| over the element's own products, and |bias|; or, where the
   * algorithm mixes cells, * the largest sum that data of this size could have: products * max |a| * max |b|, and max |bias|.
   * 0 for the reference: the exact value, rounded once.
   */
  readonly error_bound: number;
  /** Whether an element's sum has products that are not its own and that leave it again (Winograd). */
  readonly mixes_cells: boolean;
}

/** How one pass was really run. */
export interface RunReport {
  readonly algorithm: string;
  readonly milliseconds: number;
  readonly threads: number;
}

export interface ComputeResult {
  readonly type: 'compute';
  /** Names the problem that the session now holds; questions about it quote it. */
  readonly revision: number;
  readonly geometry: Geometry;
  /** Something is hidden: a NaN is a number that is not told. */
  readonly hides?: true;
  /** Of the caller's x, w and b (null without bias), for colour scales; of what is not hidden of them. */
  readonly input_stats: { readonly x: TensorStats; readonly w: TensorStats; readonly b: TensorStats | null };
  /**
   * Tensors computed, and dy as the engine made it. x, w and b are the caller's own and are sent back only where cells of
   * them are hidden.
   */
  readonly tensors: Readonly<Partial<Record<TensorName, Tensor>>>;
  /** What the loss is at y and its target; null where dy comes from none. */
  readonly loss: number | null;
  readonly runs: Readonly<Partial<Record<Pass, RunReport>>>;
  /** Every algorithm of each requested pass with its answer for this geometry. */
  readonly algorithms: Readonly<Partial<Record<Pass, readonly AlgorithmInfo[]>>>;
}

/** Decode an image file in the worker; the values are 0..1 (0..255 scaled), NHWC with n = 1. */
export interface DecodeImageRequest {
  readonly type: 'decode_image';
  readonly file: Blob;
  /** 1 is the grey of ITU-R BT.601: 0.299 R + 0.587 G + 0.114 B. */
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
 * A question about the problem that the last compute left in the session. When the session has moved on meanwhile, the
 * answer is the error 'stale', never numbers of another problem.
 */
export interface QuestionRequest {
  readonly type: 'question';
  /** Of the ComputeResult that it looks into. */
  readonly revision: number;
  readonly question: Question;
}

export interface QuestionResult {
  readonly type: 'question';
  readonly answer: QuestionMap[keyof QuestionMap]['answer'];
}

export type Request = ComputeRequest | DecodeImageRequest | QuestionRequest;
export type Result = ComputeResult | DecodeImageResult | QuestionResult;

/** The result type of a request type. */
export type ResultOf<R extends Request> = Extract<Result, { type: R['type'] }>;

export type ModuleVariant = 'simd' | 'relaxed';

/**
 * Page -> worker. `id` grows with every request; the reply carries the same id. The id of a compute becomes the
 * revision of its result.
 */
export interface WorkerRequest {
  readonly id: number;
  readonly request: Request;
}

/** Of the module, in bytes. It grows, and never shrinks. */
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
      /** What is being done, for a person: "forward", "backward_data", "reading image". */
      readonly phase: string;
      /** 0..1 over the whole request. */
      readonly fraction: number;
    }
  | {
      readonly type: 'result';
      readonly id: number;
      readonly result: Result;
      readonly memory: Memory;
    }
  | { readonly type: 'error'; readonly id: number; readonly error: ConvError };
