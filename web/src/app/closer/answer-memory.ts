import type { Outcome } from '../../compute/outcome';

/** Answers kept; one about all cells of a tensor may be half a megabyte. */
const MOST = 40;

/**
 * Answers about the result on the screen, by question. A view asks several questions at once, and a slider changes one
 * of them: the others, which may be sweeps of fifty forward passes, are not run again.
 */
export class AnswerMemory<Question extends object, Answer> {
  readonly #answers = new Map<string, Outcome<Answer>>();
  #revision = -1;

  async ask(revision: number, question: Question, run: () => Promise<Outcome<Answer>>): Promise<Outcome<Answer>> {
    if (revision !== this.#revision) this.#answers.clear();
    this.#revision = revision;
    const key = keyOf(question);
    const known = this.#answers.get(key);
    if (known) return known;
    const outcome = await run();
    if (outcome.status === 'done' && revision === this.#revision) {
      const oldest = this.#answers.size >= MOST ? this.#answers.keys().next().value : undefined;
      if (oldest !== undefined) this.#answers.delete(oldest);
      this.#answers.set(key, outcome);
    }
    return outcome;
  }
}

const keyOf = (question: object): string =>
  JSON.stringify(question, (_, value: unknown) =>
    value instanceof Float32Array || value instanceof Int32Array ? [...value] : value,
  );
