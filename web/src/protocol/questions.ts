import type {
  ColumnOrder,
  ConvError,
  FoldMode,
  GridName,
  ParameterName,
  Pass,
  ProcessName,
  StageName,
  Tensor,
  TensorName,
  TensorStats,
} from './problem';

/**
 * All questions about a computed problem, and their answers. A new kind needs one entry here and an answerer in worker/questions.
 * Caching, progress, cancelling and retrying work for all kinds.
 */
export interface QuestionMap {
  readonly stage: { readonly ask: StageAsk; readonly answer: Tensor };
  readonly partial: { readonly ask: PartialAsk; readonly answer: PartialResult };
  readonly fold: { readonly ask: FoldAsk; readonly answer: PartialResult };
  /** How often each cell of x is read: [1, h, w, 1], in both layouts. */
  readonly coverage: { readonly ask: object; readonly answer: Tensor };
  readonly products: { readonly ask: ProductsAsk; readonly answer: Products };
  readonly loss_cell: { readonly ask: LossCellAsk; readonly answer: LossCell };
  /** The two sides of <C x, dy> = <x, dx>, over all images. */
  readonly adjoint: { readonly ask: object; readonly answer: Adjoint };
  /** All algorithms of each pass, evaluated for this problem. */
  readonly algorithms: { readonly ask: object; readonly answer: Algorithms };
  readonly compare: { readonly ask: CompareAsk; readonly answer: Comparison };
  readonly gradient_check: { readonly ask: GradientCheckAsk; readonly answer: GradientCheck };
  /** Whether a listed mistake gives the right value of a cell. */
  readonly ambiguous: {
    readonly ask: Pick<DiagnoseAsk, 'pass' | 'index'>;
    readonly answer: { readonly ambiguous: boolean };
  };
  readonly diagnose: { readonly ask: DiagnoseAsk; readonly answer: Diagnosis };
  readonly learn: { readonly ask: LearnAsk; readonly answer: Learned };
  readonly bug: { readonly ask: BugAsk; readonly answer: Bug };
  readonly name_bug: { readonly ask: NameBugAsk; readonly answer: NameBugAnswer };
  readonly compare_result: { readonly ask: CompareResultAsk; readonly answer: ResultComparison };
  readonly difference: { readonly ask: DifferenceAsk; readonly answer: ResultDifference };
  /** The largest rounding error of any program in any cell, for each result. */
  readonly rounding: { readonly ask: object; readonly answer: Rounding };
}

export type QuestionKind = keyof QuestionMap;
/** `layer`: what it is about, counted from 0; by default the first one. */
export type QuestionOf<K extends QuestionKind> = { readonly kind: K; readonly layer?: number } & QuestionMap[K]['ask'];
export type Question = { readonly [K in QuestionKind]: QuestionOf<K> }[QuestionKind];
export type AnswerOf<Q extends Question> = QuestionMap[Q['kind']]['answer'];

/** An intermediate tensor. */
export interface StageAsk {
  readonly stage: StageName;
  readonly order: ColumnOrder;
  /** Matrices only. */
  readonly transposed: boolean;
}

/** A process that is stopped after `steps` steps. */
export interface PartialAsk {
  readonly process: ProcessName;
  /** From 0 to the total number of steps, inclusive. */
  readonly steps: number;
}

/** col2im: dx_col added back into dx. Only mode 'sum' gives the gradient. */
export interface FoldAsk {
  readonly mode: FoldMode;
  /** Number of rows of dx_col (output positions) to add, or 'all'. */
  readonly positions: number | 'all';
}

/** A partial result, and the number of steps of the complete process. */
export interface PartialResult {
  readonly total: number;
  readonly tensor: Tensor;
}

/** Terms of an explained sum: pairs of cells. A negative index is a factor in the padding. */
export interface ProductsAsk {
  readonly a: TensorName;
  /** null: the terms are cells of `a`, and index_b is empty. */
  readonly b: TensorName | null;
  readonly index_a: Int32Array;
  readonly index_b: Int32Array;
  /** The cell of this sum. While values are hidden, only sums of visible cells are sent. */
  readonly of?: { readonly tensor: GridName; readonly index: number };
  /** Number of consecutive terms with a subtotal, for example those of a channel. */
  readonly run: number;
}

export interface Products {
  readonly products: Float32Array;
  /** One per `run` terms; the last group may be shorter. */
  readonly subtotals: Float32Array;
  readonly sum: number;
}

/** How the current loss gives one cell of dy. */
export interface LossCellAsk {
  readonly index: number;
}

export interface LossCell {
  readonly y: number;
  readonly target: number;
  /** y - target */
  readonly difference: number;
  /** The gradient times the number of cells. */
  readonly slope: number;
  /** slope / number of cells of y */
  readonly gradient: number;
}

/** The convolution without b is a matrix C: y = C x, dx = C^T dy. */
export interface Adjoint {
  /** <C x, dy>, where C x is the result of the forward pass without b. */
  readonly forward: number;
  /** <x, dx>, with the current dx. */
  readonly backward: number;
  /** |forward - backward|, and that divided by the larger sum of the products' absolute values. */
  readonly difference: number;
  readonly relative: number;
}

export interface AlgorithmInfo {
  readonly name: string;
  readonly description: string;
  readonly supported: boolean;
  /** Why it is not supported. */
  readonly reason: string;
  readonly workspace_floats: number;
  /** The cost model's estimate: smaller is faster; comparable only within one list. */
  readonly cost: number;
  /**
   * |result - exact| <= error_bound * 2^-24 * (sum of |a * b| over the element's own terms + |bias|). If mixes_cells, it is
   * relative to the largest possible sum: number of terms * max |a| * max |b| + max |bias|.
   * 0 for the reference: the exact value, rounded once.
   */
  readonly error_bound: number;
  /** Whether sums contain terms of other elements that cancel at the end (Winograd). */
  readonly mixes_cells: boolean;
}

/** The algorithms of each pass, in the library's order. */
export type Algorithms = Readonly<Record<Pass, readonly AlgorithmInfo[]>>;

/** Runs one pass with several algorithms and compares each with the reference. */
export interface CompareAsk {
  readonly pass: Pass;
  /** Names of algorithms of the pass, or 'all'. */
  readonly algorithms: readonly string[] | 'all';
  /** Measures the time: the median of several runs after a warm-up, in place of the time of the first run. */
  readonly timed?: true;
}

export interface CompareRow {
  readonly algorithm: string;
  /** Of one run; 0 if the algorithm did not run. */
  readonly milliseconds: number;
  /** max |result - reference|; NaN if a difference is NaN; null if the algorithm did not run. */
  readonly max_abs_difference: number | null;
  /** Why the algorithm did not run, else null. */
  readonly error: ConvError | null;
}

export interface Comparison {
  readonly pass: Pass;
  readonly rows: readonly CompareRow[];
}

/**
 * Compares the analytic gradient with central differences (L(v + e) - L(v - e)) / 2e, for one or several steps e. In a network L is
 * the loss at its end, and y and dy are those of the last layer.
 */
export interface GradientCheckAsk {
  readonly parameter: ParameterName;
  /** By its name in the library: linear uses the session's dy; the others need `target`. */
  readonly loss: string;
  /**
   * Of y's length; null for the linear loss. 'near_y' generates a target within 1 of y in each cell, where log(cosh) is
   * curved: far away it is linear.
   */
  readonly target: Float32Array | 'near_y' | null;
  readonly precision: 'float32' | 'float64';
  /** One check per step size, each > 0. */
  readonly epsilons: readonly number[];
  /** Flat indices into the parameter, or 'all' its cells. */
  readonly indices: Int32Array | 'all';
}

/** One entry per checked cell, in the order asked for. float32 results are widened exactly. */
export interface GradientCheckCells {
  readonly index: Int32Array;
  readonly loss_plus: Float64Array;
  readonly loss_minus: Float64Array;
  /** The gradient of the kernel for the linear loss, if that pass ran; else that of the reference implementation. */
  readonly analytic: Float64Array;
  readonly numeric: Float64Array;
  readonly absolute_error: Float64Array;
  /** |a - n| / max(|a|, |n|, smallest normal) */
  readonly relative_error: Float64Array;
  /** The parts of the error: rounding of the losses, and curvature of the loss within the step. 0 where the error alone confirms. */
  readonly rounding: Float64Array;
  readonly truncation: Float64Array;
  /** Indices into VERDICTS. */
  readonly verdict: Float64Array;
  /** Of the cells at a kink or a tie: what bends the loss. Absent while values are hidden. */
  readonly bends?: {
    /** The first layer that bends between the two values, counted from 0; the number of layers: the loss itself; -1: none. */
    readonly layer: Int32Array;
    /**
     * ReLU: the cell of its input that changes sign. Max pooling: the cell of its output with another winner. The loss: the cell of
     * the last output that reaches its target.
     */
    readonly cell: Int32Array;
    /** 1: the loss bends at the value itself, because the input of ReLU is 0, two cells are equal, or an output is its target. No step avoids that. */
    readonly at_value: Int32Array;
    /** Max pooling: the two cells of its input. */
    readonly winner_above: Int32Array;
    readonly winner_below: Int32Array;
    /** Of all cells: (L(v + e) - L(v)) / e, and the same downwards. */
    readonly slope_above: Float64Array;
    readonly slope_below: Float64Array;
  };
}

export interface GradientCheckRun {
  readonly epsilon: number;
  readonly cells: GradientCheckCells;
  /** Over all cells; NaN when any is NaN. */
  readonly max_absolute_error: number;
  /** Without cells that are within rounding. */
  readonly max_relative_error: number;
  /** The worst verdict: an index into VERDICTS. */
  readonly verdict: number;
}

export interface GradientCheck {
  readonly runs: readonly GradientCheckRun[];
}

/** Checks a number that the user typed for a cell, and finds the mistakes that give it. */
export interface DiagnoseAsk {
  /** An input is only right or wrong; no mistake explains it. */
  readonly pass: Pass | 'x' | 'w' | 'b' | 'dy';
  /** Flat index into the result of the pass, or into the input. */
  readonly index: number;
  /** The number as typed; its rounding is taken into account. */
  readonly written: string;
}

/** Never contains the right number. */
export interface Diagnosis {
  /** unknown: wrong, and no listed mistake gives this number. */
  readonly verdict: 'right' | 'known' | 'unknown';
  readonly mistakes: readonly MistakeEntry[];
}

/** A common mistake, with its texts for the page. */
export interface MistakeEntry {
  readonly id: string;
  readonly title: string;
  /** What was done instead of the right computation. */
  readonly sentence: string;
  /** Lesson and step that explain it, as in links: "gather.5". */
  readonly step: string;
}

/**
 * Gradient descent on the squared error, starting at the problem's x, w and b, or at 0. The same settings give bitwise the same result.
 * Consecutive steps are fast, because the worker continues from its current state. A network learns w and b of all layers, from all
 * images, without a teacher and noise.
 */
export interface LearnAsk {
  /** The learned tensor; w includes the bias, if any. */
  readonly learns: 'x' | 'w';
  /** The target is y of these weights (without bias). null: the target of dy's loss, or 0 without a loss. */
  readonly teacher: Float32Array | null;
  /** The learned values start at 0 instead of those of the problem. */
  readonly fromZero: boolean;
  readonly rate: number;
  /** Mini-batch size for w, in images, taken in order; n or more: all images. */
  readonly batch: number;
  /** Amplitude of the random noise that is added to the target. */
  readonly noise: number;
  /** Of a network: the weights of all layers start multiplied by it. */
  readonly scale?: number;
  /** Flat indices of the learned values to record in the history. */
  readonly watch: Int32Array;
  readonly steps: number;
}

export interface Learned {
  /** Fewer than requested if the next step overflows float32. */
  readonly steps: number;
  /** The learned tensors and their gradients, y and dy, for all images; also w if x is learned from a teacher. */
  readonly tensors: Readonly<Partial<Record<TensorName, Tensor>>>;
  /** null: y is not the end of its network. */
  readonly target: Tensor | null;
  /** Of all images. */
  readonly loss: number;
  /** Some of the steps from 0 to this one, including both, ascending. */
  readonly history: {
    readonly steps: Int32Array;
    readonly losses: Float64Array;
    /** The watched values of each of these steps. */
    readonly watched: Float32Array;
    /** Of a network: the norm of dw of each convolution, by step. */
    readonly norms: Float64Array;
  };
  /** null: the loss of a network is no parabola. */
  readonly step_size: StepSize | null;
  /** The convolutions of a network, from the first on. */
  readonly layers?: readonly { readonly w: Float32Array; readonly b: Float32Array | null }[];
  /** The ReLU layers of a network, counted from 0, with inputs that are all negative or 0: y no longer depends on the weights before. */
  readonly closed?: readonly number[];
}

/** Stability of the learning rate, from the largest eigenvalue of the loss of all images. */
export interface StepSize {
  /** The largest eigenvalue of the matrix of second derivatives. */
  readonly curvature: number;
  /** 2 / curvature: gradient descent diverges above this rate. */
  readonly largest_rate: number;
  /** 1 - rate * curvature: each step multiplies the distance to the minimum by it, along the eigenvector. */
  readonly factor: number;
}

/** A bug to find. The seed shuffles the bugs, so that the letter does not identify one. */
export interface BugAsk {
  readonly seed: number;
  /** 0 is A. */
  readonly letter: number;
  readonly pass: Pass;
}

/** The effect of a bug on the problem, without its name. */
export interface Bug {
  readonly names: readonly Pick<MistakeEntry, 'id' | 'title'>[];
  readonly wrong: Tensor;
  /** wrong - right, cell by cell; exactly 0 where both round to the same value. */
  readonly difference: Tensor;
  /** null for y, and if the check would take too long. */
  readonly check: BugCheck | null;
}

/** The bug's gradient compared with slopes that were measured with the right y. */
export interface BugCheck {
  readonly cells: number;
  readonly failed: number;
  readonly worst: { readonly index: number; readonly measured: number; readonly wrong: number } | null;
}

export interface NameBugAsk extends BugAsk {
  /** The guessed bug; null: reveal the bug. */
  readonly id: string | null;
}

export interface NameBugAnswer {
  /** equivalent: another bug that gives the same values for this problem. */
  readonly verdict: 'right' | 'equivalent' | 'other' | 'revealed';
  /** If it was guessed or is revealed. */
  readonly bug: MistakeEntry | null;
  /** The other bugs that give the same values for this problem, if it was guessed or is revealed. */
  readonly equivalent: readonly MistakeEntry[];
}

/** The differences of a result from another program and that of the session. */
export interface CompareResultAsk {
  readonly pass: Pass;
  /** Of the result's length, in the layout's order. */
  readonly user_result: Float32Array;
}

/** The differences of a result and an earlier one of the same sizes. */
export interface DifferenceAsk {
  readonly pass: Pass;
  /** Of the result's length, in the layout's order. */
  readonly earlier: Float32Array;
}

export interface ResultDifference {
  /** The result - the earlier one; exactly 0 where both are equal. */
  readonly difference: Tensor;
  /** The cell with the largest difference; null if all are equal. */
  readonly worst: number | null;
}

/** `difference`: user_result - ours. Whether the result is right says the library conv2d_check (protocol/judge.ts). */
export interface ResultComparison extends ResultDifference {
  readonly user_stats: TensorStats;
}

export type Rounding = Readonly<Record<'y' | 'dx' | 'dw' | 'db', number>>;
