import type { ConvError } from './errors';
import type {
  ColumnOrder,
  ConvDesc,
  Geometry,
  Pass,
  ProcessName,
  StageName,
  Tensor,
  TensorName,
} from './problem';

/** Values to write into the session, or 'resident': what the session holds from the request before. */
export type TensorInput = Float32Array | 'resident';

/** The upstream gradient. Its shape follows from the geometry, so the engine makes it. */
export type DySource =
  | { readonly kind: 'ones' }
  | { readonly kind: 'random'; readonly seed: number }
  | { readonly kind: 'one_hot'; readonly index: number }
  /** Cells painted by hand for an output of `shape` (layout order); cells outside of it are 0. */
  | { readonly kind: 'values'; readonly shape: readonly [number, number, number, number]; readonly data: Float32Array }
  /** The gradient of the mean squared error to a target of y's length. */
  | { readonly kind: 'mse'; readonly target: Float32Array };

export interface StageRequest {
  readonly stage: StageName;
  readonly order: ColumnOrder;
  readonly transposed: boolean;
}

export interface PartialRequest {
  readonly process: ProcessName;
  readonly steps: number;
}

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
  readonly stages: readonly StageRequest[];
  readonly partials: readonly PartialRequest[];
}

export interface AlgorithmInfo {
  readonly name: string;
  readonly description: string;
  readonly supported: boolean;
  readonly reason: string;
  readonly workspace_floats: number;
  readonly cost: number;
}

/** How one pass was really run. */
export interface RunReport {
  readonly algorithm: string;
  readonly milliseconds: number;
}

export interface StageResult extends StageRequest {
  readonly tensor: Tensor;
}

export interface PartialResult extends PartialRequest {
  /** Number of steps of the whole process. */
  readonly total: number;
  readonly tensor: Tensor;
}

export interface ComputeResult {
  readonly type: 'compute';
  readonly geometry: Geometry;
  /** Tensors computed, and dy as the engine made it. x, w and b are the caller's own and are not sent back. */
  readonly tensors: Readonly<Partial<Record<TensorName, Tensor>>>;
  readonly runs: Readonly<Partial<Record<Pass, RunReport>>>;
  /** Every algorithm of each requested pass with its answer for this geometry. */
  readonly algorithms: Readonly<Partial<Record<Pass, readonly AlgorithmInfo[]>>>;
  readonly stages: readonly StageResult[];
  readonly partials: readonly PartialResult[];
}

/** Decode an image file in the worker; the values are 0..1 (0..255 scaled), NHWC with n = 1. */
export interface DecodeImageRequest {
  readonly type: 'decode_image';
  readonly file: Blob;
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
 * Terms of an explained sum: pairs of cells, products computed by the library. A negative index is a factor in the
 * padding. The tensors are the session's current ones.
 */
export interface ProductsRequest {
  readonly type: 'products';
  readonly a: TensorName;
  readonly b: TensorName;
  readonly index_a: Int32Array;
  readonly index_b: Int32Array;
}

export interface ProductsResult {
  readonly type: 'products';
  readonly products: Float32Array;
  readonly sum: number;
}

export type Request = ComputeRequest | DecodeImageRequest | ProductsRequest;
export type Result = ComputeResult | DecodeImageResult | ProductsResult;

/** The result type of a request type. */
export type ResultOf<R extends Request> = Extract<Result, { type: R['type'] }>;

export type ModuleVariant = 'simd' | 'relaxed';

/** Page -> worker. `id` grows with every request; the reply carries the same id. */
export interface WorkerRequest {
  readonly id: number;
  readonly request: Request;
}

/** Worker -> page. */
export type WorkerMessage =
  | { readonly type: 'ready'; readonly variant: ModuleVariant }
  | { readonly type: 'failed_to_start'; readonly error: ConvError }
  | {
      readonly type: 'progress';
      readonly id: number;
      /** What is being done, for a person: "forward", "dx", "reading image". */
      readonly phase: string;
      /** 0..1 over the whole request. */
      readonly fraction: number;
    }
  | { readonly type: 'result'; readonly id: number; readonly result: Result }
  | { readonly type: 'error'; readonly id: number; readonly error: ConvError };
