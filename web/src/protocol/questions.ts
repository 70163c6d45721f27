import type { GridName } from './cell';
import type { ConvError } from './errors';
import type {
  ColumnOrder,
  FoldMode,
  LossName,
  ParameterName,
  Pass,
  ProcessName,
  StageName,
  Tensor,
  TensorName,
  TensorStats,
} from './problem';

/**
 * THE MAP of the questions that the page can ask about a computed problem, and of their answers. A new kind is one entry
 * here and one file in worker/questions/, named after it; asking, keeping, progress, cancelling and retrying are the same
 * for all.
 */
export interface QuestionMap {
  readonly stage: { readonly ask: StageAsk; readonly answer: Tensor };
  readonly partial: { readonly ask: PartialAsk; readonly answer: Partway };
  readonly fold: { readonly ask: FoldAsk; readonly answer: Partway };
  /** How often each cell of x is read: [1, h, w, 1], whatever the layout. */
  readonly coverage: { readonly ask: object; readonly answer: Tensor };
  readonly products: { readonly ask: ProductsAsk; readonly answer: Products };
  readonly loss_cell: { readonly ask: LossCellAsk; readonly answer: LossCell };
  /** The two sides of <C x, dy> = <x, dx>, over all images. */
  readonly adjoint: { readonly ask: object; readonly answer: Adjoint };
  readonly compare: { readonly ask: CompareAsk; readonly answer: Comparison };
  readonly gradient_check: { readonly ask: GradientCheckAsk; readonly answer: GradientCheck };
  readonly diagnose: { readonly ask: DiagnoseAsk; readonly answer: Diagnosis };
  readonly learn: { readonly ask: LearnAsk; readonly answer: Learnt };
  readonly bug: { readonly ask: BugAsk; readonly answer: Bug };
  readonly name_bug: { readonly ask: NameBugAsk; readonly answer: NamedBug };
  readonly hold: { readonly ask: HoldAsk; readonly answer: Held };
  /** How far another program's numbers may be away, for the cell of each result that is rounded most. */
  readonly rounding: { readonly ask: object; readonly answer: Rounding };
}

export type QuestionKind = keyof QuestionMap;
export type QuestionOf<K extends QuestionKind> = { readonly kind: K } & QuestionMap[K]['ask'];
export type Question = { readonly [K in QuestionKind]: QuestionOf<K> }[QuestionKind];
export type AnswerOf<Q extends Question> = QuestionMap[Q['kind']]['answer'];

/** An intermediate of a lowering. */
export interface StageAsk {
  readonly stage: StageName;
  readonly order: ColumnOrder;
  /** Matrices only: columns become rows. */
  readonly transposed: boolean;
}

/** A frame: a process stopped on its way. */
export interface PartialAsk {
  readonly process: ProcessName;
  /** 0 .. the process's total. */
  readonly steps: number;
}

/** dx_col carried back into dx: only mode 'sum' is the gradient. */
export interface FoldAsk {
  readonly mode: FoldMode;
  /** Rows of dx_col (output positions) folded so far, or 'all'. */
  readonly positions: number | 'all';
}

/** The tensor of something that was stopped on its way, and the number of steps of the whole. */
export interface Partway {
  readonly total: number;
  readonly tensor: Tensor;
}

/** Terms of an explained sum: pairs of cells, products computed by the library. A negative index is a factor in the padding. */
export interface ProductsAsk {
  readonly a: TensorName;
  /** null: a sum of the cells of `a` alone, and index_b is empty. */
  readonly b: TensorName | null;
  readonly index_a: Int32Array;
  readonly index_b: Int32Array;
  /** The cell whose sum it is. While numbers are hidden, a sum is told only of cells that are not. */
  readonly of?: { readonly tensor: GridName; readonly index: number };
  /** So many terms after one another make a part of the sum (a channel, say) that is added up by itself. */
  readonly run: number;
}

export interface Products {
  readonly products: Float32Array;
  /** One a run; the last run may be shorter. */
  readonly subtotals: Float32Array;
  readonly sum: number;
}

/** How one cell of dy comes from the loss that is in force. */
export interface LossCellAsk {
  /** Flat index into y. */
  readonly index: number;
}

export interface LossCell {
  readonly y: number;
  readonly target: number;
  /** y - target */
  readonly difference: number;
  /** mse: the difference; log_cosh: tanh(difference) */
  readonly slope: number;
  /** slope / number of cells of y */
  readonly gradient: number;
}

/** The convolution without b is a matrix C: y = C x, dx = C^T dy. */
export interface Adjoint {
  /** <C x, dy>, with C x as the forward pass makes it without b. */
  readonly forward: number;
  /** <x, dx>, with dx as the page has it. */
  readonly backward: number;
  /** |forward - backward|, and that divided by the larger sum of the products' absolute values. */
  readonly difference: number;
  readonly relative: number;
}

/** Run one pass by several algorithms and measure each against the reference. */
export interface CompareAsk {
  readonly pass: Pass;
  /** Names of the pass's algorithms, or 'all' that the list holds. */
  readonly algorithms: readonly string[] | 'all';
}

export interface CompareRow {
  readonly algorithm: string;
  readonly milliseconds: number;
  /** max |result - reference|, measured; NaN when a difference is NaN; null when the algorithm did not run. */
  readonly max_abs_difference: number | null;
  /** Why the algorithm did not run, else null. */
  readonly error: ConvError | null;
}

export interface Comparison {
  readonly pass: Pass;
  readonly rows: readonly CompareRow[];
}

/** Central differences (L(v + e) - L(v - e)) / 2e beside the analytic gradient, for one step size or a sweep of them. */
export interface GradientCheckAsk {
  readonly parameter: ParameterName;
  /** linear takes the session's dy; the others need `target`. */
  readonly loss: LossName;
  /**
   * Of y's length; null for the linear loss. 'near_y' makes one that y misses by less than 1 in each cell, where a curved
   * loss is curved: far away, log(cosh) is a straight line.
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
  /** For the linear loss what the kernel computed, where that pass ran; else the reference's gradient. */
  readonly analytic: Float64Array;
  readonly numeric: Float64Array;
  readonly absolute_error: Float64Array;
  /** |a - n| / max(|a|, |n|, smallest normal) */
  readonly relative_error: Float64Array;
}

export interface GradientCheckRun {
  readonly epsilon: number;
  readonly cells: GradientCheckCells;
  /** Over all cells; NaN when any is NaN. */
  readonly max_absolute_error: number;
  readonly max_relative_error: number;
}

export interface GradientCheck {
  readonly runs: readonly GradientCheckRun[];
}

/** A number that somebody wrote for a cell of what a pass makes: is it right, and if not, which idea gives it? */
export interface DiagnoseAsk {
  /** Or an input: that is right or wrong, and comes of no mistake. */
  readonly pass: Pass | 'x' | 'w' | 'b' | 'dy';
  /** Flat index into what the pass makes, or into the input. */
  readonly index: number;
  /** As it was typed (protocol/written.ts): what it is rounded to is taken into account. */
  readonly written: string;
}

/** Never says the right number. */
export interface Diagnosis {
  /** unknown: wrong, and no mistake of the list gives this number. */
  readonly verdict: 'right' | 'known' | 'unknown';
  /** All that give the number: it may have been any of them. */
  readonly mistakes: readonly MistakeEntry[];
}

/** A frequent mistake, for a person. */
export interface MistakeEntry {
  readonly id: string;
  readonly title: string;
  /** What was done in place of what is right. */
  readonly sentence: string;
  /** The step of a lesson that cures it, as links call it: "gather.5". */
  readonly step: string;
}

/**
 * Gradient descent on the squared error, from the problem's own x, w and b. The same numbers lead to the same bits, whatever was
 * asked before; steps that follow each other are quick, since the worker goes on from where it is.
 */
export interface LearnAsk {
  /** What is learnt; with w the bias, where there is one. */
  readonly learns: 'x' | 'w';
  /** Weights whose y (without bias) is the target; null: the target of the loss that dy comes from, else 0. */
  readonly teacher: Float32Array | null;
  readonly rate: number;
  /** Images that a step of w looks at, one after the other; as many as there are, or more: all. */
  readonly batch: number;
  /** Random numbers up to this are added to the target. */
  readonly noise: number;
  /** Flat indices into what is learnt, whose way is told. */
  readonly watch: Int32Array;
  readonly steps: number;
}

export interface Learnt {
  /** Fewer than asked for where the next one goes beyond what float32 can hold. */
  readonly steps: number;
  /** There: what is learnt, y, dy and its gradients, the last three of all images. */
  readonly tensors: Readonly<Partial<Record<TensorName, Tensor>>>;
  readonly target: Tensor;
  /** Over all images. */
  readonly loss: number;
  /** Some of the steps from 0 to this one, both among them, ascending. */
  readonly history: {
    readonly steps: Int32Array;
    readonly losses: Float64Array;
    /** Of each of these steps the watched values, step by step. */
    readonly watched: Float32Array;
  };
  readonly pace: Pace;
}

/** What the steepest direction of the loss, a parabola, says of the rate; of all images. */
export interface Pace {
  /** The largest eigenvalue of the matrix of second derivatives. */
  readonly curvature: number;
  /** 2 / curvature: with a larger rate the steps grow. */
  readonly largest_rate: number;
  /** 1 - rate * curvature: what one step multiplies the distance to the lowest point by, in the steepest direction. */
  readonly factor: number;
}

/** A mistake that is to be found: the shelf in an order that the seed decides, so that its letter says nothing. */
export interface BugAsk {
  readonly seed: number;
  /** 0 is A. */
  readonly letter: number;
  readonly pass: Pass;
}

/** What a bug makes of the problem; not which one it is. */
export interface Bug {
  /** All that there are, in an order of their own. */
  readonly names: readonly Pick<MistakeEntry, 'id' | 'title'>[];
  /** What it computes. */
  readonly wrong: Tensor;
  /** wrong - right, cell by cell; exactly 0 where both round alike. */
  readonly difference: Tensor;
  /** null: of y there is none, and there is none where it would take too long. */
  readonly check: BugCheck | null;
}

/** The bug's gradient against slopes that were measured with y as it is right. */
export interface BugCheck {
  readonly cells: number;
  readonly failed: number;
  /** The cell that is furthest off. */
  readonly worst: { readonly index: number; readonly measured: number; readonly said: number } | null;
}

export interface NameBugAsk extends BugAsk {
  /** What one takes it for; null: to be told. */
  readonly id: string | null;
}

export interface NamedBug {
  /** alike: another bug, but one that computes the same numbers on this problem. */
  readonly verdict: 'right' | 'alike' | 'other' | 'told';
  /** Where it was named or is told. */
  readonly bug: MistakeEntry | null;
  /** The others that could not have been told from it on this problem, where it was named or is told. */
  readonly alike: readonly MistakeEntry[];
}

/** A result that somebody brings from another program, held against the one that the session has. */
export interface HoldAsk {
  readonly pass: Pass;
  /** Of the result's length, in the layout's order. */
  readonly brought: Float32Array;
}

export interface Held {
  /** brought - ours; exactly 0 where both are equal. */
  readonly difference: Tensor;
  readonly brought_stats: TensorStats;
  /** The cell that is furthest off; null: none is off. */
  readonly worst: number | null;
  /** From what only rounding tells apart to what is just the same: so many cells agree. */
  readonly agreements: readonly Agreement[];
  /** Each number brought is so many times ours; null where that is not so, or it agrees. */
  readonly factor: number | null;
  /** The wrong models that give all of it; null where it agrees, or the problem is too large to look for them. */
  readonly mistakes: readonly MistakeEntry[] | null;
}

export interface Agreement {
  /** "as float32 rounds" */
  readonly how: string;
  readonly cells: number;
}

export type Rounding = Readonly<Record<'y' | 'dx' | 'dw' | 'db', number>>;
