import type { ComputeClient } from '../../compute/client';
import type { Outcome } from '../../compute/outcome';
import type {
  DetailsRequest,
  DetailsResult,
  FoldRequest,
  FoldResult,
  StageRequest,
  StageResult,
} from '../../protocol/follow-ups';
import type { Needs } from '../../views/kit/needs';

/**
 * Stages and folds of the result on the screen that were asked for last. While one scrubs, only the partial results
 * change; the matrices beside them, which may have millions of entries, are neither computed nor painted again.
 */
export class StageMemory {
  readonly #stages = new Latest<StageRequest, StageResult>(
    ({ stage, order, transposed }) => `${stage} ${order} ${transposed}`,
  );
  readonly #folds = new Latest<FoldRequest, FoldResult>(({ mode, positions }) => `${mode} ${positions}`);
  #revision = -1;

  async ask(
    client: ComputeClient,
    revision: number,
    details: NonNullable<Needs['details']>,
  ): Promise<Outcome<DetailsResult>> {
    if (revision !== this.#revision) {
      this.#stages.clear();
      this.#folds.clear();
    }
    this.#revision = revision;
    const stages = this.#stages.recall(details.stages ?? []);
    const folds = this.#folds.recall(details.folds ?? []);
    const request: DetailsRequest = {
      type: 'details',
      revision,
      partials: [],
      coverage: false,
      ...details,
      stages: stages.missing,
      folds: folds.missing,
    };
    const outcome = await client.ask(request);
    if (outcome.status !== 'done') return outcome;
    const now = revision === this.#revision;
    const { result } = outcome;
    const all = { stages: stages.complete(result.stages, now), folds: folds.complete(result.folds, now) };
    return { ...outcome, result: { ...result, ...all } };
  }
}

interface Recalled<Question, Answer> {
  readonly missing: readonly Question[];
  /** The answers to all questions, in their order; kept for the next time when they are still about what one sees. */
  readonly complete: (answers: readonly Answer[], keep: boolean) => readonly Answer[];
}

/** The answers to the latest questions; an answer repeats its question. */
class Latest<Question, Answer extends Question> {
  #known = new Map<string, Answer>();
  readonly #keyOf: (question: Question) => string;

  constructor(keyOf: (question: Question) => string) {
    this.#keyOf = keyOf;
  }

  clear(): void {
    this.#known.clear();
  }

  recall(questions: readonly Question[]): Recalled<Question, Answer> {
    const known = this.#known;
    return {
      missing: questions.filter((question) => !known.has(this.#keyOf(question))),
      complete: (answers, keep) => {
        const fresh = new Map(answers.map((answer) => [this.#keyOf(answer), answer]));
        const found = questions.flatMap((question) => {
          const key = this.#keyOf(question);
          return fresh.get(key) ?? known.get(key) ?? [];
        });
        if (keep) this.#known = new Map(found.map((answer) => [this.#keyOf(answer), answer]));
        return found;
      },
    };
  }
}
