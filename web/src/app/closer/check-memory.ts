import type { ComputeClient } from '../../compute/client';
import type { Outcome } from '../../compute/outcome';
import type { GradientCheckRequest, GradientCheckResult } from '../../protocol/follow-ups';

type Question = Omit<GradientCheckRequest, 'type' | 'revision'>;

/** Answers kept; one about all cells of a tensor may be half a megabyte. */
const MOST = 40;

/**
 * Gradient checks that were answered about the result on the screen. A view asks several at once, and a slider changes
 * one of them: the others, which may be sweeps of fifty forward passes, are not run again.
 */
export class CheckMemory {
  readonly #answers = new Map<string, Outcome<GradientCheckResult>>();
  #revision = -1;

  async ask(
    client: ComputeClient,
    revision: number,
    question: Question,
    lane: string,
  ): Promise<Outcome<GradientCheckResult>> {
    if (revision !== this.#revision) this.#answers.clear();
    this.#revision = revision;
    const key = keyOf(question);
    const known = this.#answers.get(key);
    if (known) return known;
    const outcome = await client.ask({ type: 'gradient_check', revision, ...question }, { lane });
    if (outcome.status === 'done' && revision === this.#revision) {
      const oldest = this.#answers.size >= MOST ? this.#answers.keys().next().value : undefined;
      if (oldest !== undefined) this.#answers.delete(oldest);
      this.#answers.set(key, outcome);
    }
    return outcome;
  }
}

function keyOf({ parameter, loss, target, precision, epsilons, indices }: Question): string {
  const plain = (array: Float32Array | Int32Array | string | null) => (ArrayBuffer.isView(array) ? [...array] : array);
  return JSON.stringify([parameter, loss, precision, epsilons, plain(indices), plain(target)]);
}
