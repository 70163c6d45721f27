import type { ConvError } from '../../protocol/errors';
import type {
  CompareRequest,
  CompareResult,
  DetailsRequest,
  DetailsResult,
  GradientCheckRequest,
  GradientCheckResult,
} from '../../protocol/follow-ups';

type Question<R> = Omit<R, 'type' | 'revision'>;

/** What a view wants the library to compute about the problem on the screen. Data only: the app asks. */
export interface Needs {
  /** Stages, partial results, folds and the coverage; what is left out is not asked for. */
  readonly details?: Partial<Question<DetailsRequest>>;
  readonly compare?: Question<CompareRequest>;
  readonly gradientChecks?: readonly Question<GradientCheckRequest>[];
}

/** The library's answers; null where a view did not ask. */
export interface Answers {
  readonly details: DetailsResult | null;
  readonly compare: CompareResult | null;
  /** In the order of the questions. */
  readonly gradientChecks: readonly GradientCheckResult[];
  /** Why an answer is missing. */
  readonly error: ConvError | null;
}

export const NO_ANSWERS: Answers = { details: null, compare: null, gradientChecks: [], error: null };
