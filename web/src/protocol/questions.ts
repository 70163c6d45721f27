import type { DigitsAsk, Trained } from './digits';
import type { GradientCheck, GradientCheckAsk } from './gradient-check';
import type { LearnAsk, Learned } from './learn';
import type {
  ColumnOrder,
  ConvError,
  FoldMode,
  GridName,
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
  readonly digits: { readonly ask: DigitsAsk; readonly answer: Trained };
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
  /** y - target; of a loss per position, p - target */
  readonly difference: number;
  /** The gradient times the number of cells. */
  readonly slope: number;
  /** slope / number of cells of y; of a loss per position, / number of positions */
  readonly gradient: number;
  /** Of a loss per position; null: of another one, or hidden. */
  readonly softmax: {
    /** y, of the channels of the position. */
    readonly largest: number;
    /** Sum of the powers of all channels. */
    readonly total: number;
    /** The first ones, and that of the cell. */
    readonly channels: readonly LossChannel[];
  } | null;
}

export interface LossChannel {
  /** Flat, in y. */
  readonly index: number;
  readonly channel: number;
  readonly y: number;
  /** e^(y − largest) */
  readonly power: number;
  /** p = power / total */
  readonly share: number;
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

/** An algorithm of the library, for one problem. */
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
  /** rounded: the value with fewer than three digits. unknown: wrong, and no listed mistake gives this number. */
  readonly verdict: 'right' | 'rounded' | 'known' | 'unknown';
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
