import type { ComputeClient } from '../../compute/client';
import type { Outcome } from '../../compute/outcome';
import type { DetailsRequest, DetailsResult, StageRequest, StageResult } from '../../protocol/follow-ups';
import type { Needs } from '../../views/closer/needs';

/**
 * Stages of the result on the screen that were asked for last. While one scrubs, only the partial results change; the
 * matrices beside them, which may have millions of entries, are neither computed nor painted again.
 */
export class StageMemory {
  readonly #known = new Map<string, StageResult>();
  #revision = -1;

  async ask(
    client: ComputeClient,
    revision: number,
    details: NonNullable<Needs['details']>,
  ): Promise<Outcome<DetailsResult>> {
    if (revision !== this.#revision) this.#known.clear();
    this.#revision = revision;
    const wanted = details.stages ?? [];
    const request: DetailsRequest = {
      type: 'details',
      revision,
      partials: [],
      folds: [],
      coverage: false,
      ...details,
      stages: wanted.filter((stage) => !this.#known.has(keyOf(stage))),
    };
    const remembered = new Map(this.#known);
    const outcome = await client.ask(request);
    if (outcome.status !== 'done') return outcome;
    for (const stage of outcome.result.stages) remembered.set(keyOf(stage), stage);
    const stages = wanted.flatMap((stage) => remembered.get(keyOf(stage)) ?? []);
    if (revision === this.#revision) {
      this.#known.clear();
      for (const stage of stages) this.#known.set(keyOf(stage), stage);
    }
    return { ...outcome, result: { ...outcome.result, stages } };
  }
}

const keyOf = ({ stage, order, transposed }: StageRequest): string => `${stage} ${order} ${transposed}`;
