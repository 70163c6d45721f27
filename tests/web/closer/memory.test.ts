import { describe, expect, it } from 'vitest';
import { AnswerMemory } from '../../../web/src/app/closer/answer-memory';
import { StageMemory } from '../../../web/src/app/closer/stage-memory';
import type { ComputeClient } from '../../../web/src/compute/client';
import type { Outcome } from '../../../web/src/compute/outcome';
import type { DetailsRequest, DetailsResult, StageRequest } from '../../../web/src/protocol/follow-ups';
import type { Tensor } from '../../../web/src/protocol/problem';

const tensor = (value: number): Tensor => ({
  shape: [1, 1, 1, 1],
  data: Float32Array.of(value),
  stats: { min: value, max: value, max_abs: Math.abs(value), not_finite: 0 },
});

/** Answers every question with the number of the request it came in. */
function fakeClient() {
  const requests: DetailsRequest[] = [];
  const ask = (request: DetailsRequest): Promise<Outcome<DetailsResult>> => {
    requests.push(request);
    const answer = tensor(requests.length);
    const stages = request.stages.map((stage) => ({ ...stage, tensor: answer }));
    const folds = request.folds.map((fold) => ({ ...fold, total: 1, tensor: answer }));
    return Promise.resolve({
      status: 'done',
      result: { type: 'details', stages, folds, partials: [], coverage: null },
    });
  };
  return { requests, client: { ask } as unknown as ComputeClient };
}

const X: StageRequest = { stage: 'x_col', order: 'kh_kw_c', transposed: false };
const DX: StageRequest = { stage: 'dx_col', order: 'kh_kw_c', transposed: false };

async function numbers(asked: Promise<Outcome<DetailsResult>>) {
  const outcome = await asked;
  if (outcome.status !== 'done') throw new Error(outcome.status);
  const { stages, folds } = outcome.result;
  return { stages: stages.map((s) => s.tensor.data[0]), folds: folds.map((f) => f.tensor.data[0]) };
}

describe('stages and folds', () => {
  it('are asked for once, and given back in the order of the questions', async () => {
    const { client, requests } = fakeClient();
    const memory = new StageMemory();
    const all = { mode: 'sum', positions: 'all' } as const;
    expect(await numbers(memory.ask(client, 1, { stages: [X], folds: [all] }))).toEqual({ stages: [1], folds: [1] });
    const next = { stages: [DX, X], folds: [{ mode: 'sum', positions: 2 } as const, all] };
    expect(await numbers(memory.ask(client, 1, next))).toEqual({ stages: [2, 1], folds: [2, 1] });
    expect(requests[1]?.stages).toEqual([DX]);
    expect(requests[1]?.folds).toEqual([{ mode: 'sum', positions: 2 }]);
  });

  it('are forgotten when they were not asked for the last time, and with the result that they are of', async () => {
    const { client } = fakeClient();
    const memory = new StageMemory();
    await memory.ask(client, 1, { stages: [X] });
    await memory.ask(client, 1, { stages: [DX] });
    expect((await numbers(memory.ask(client, 1, { stages: [X] }))).stages).toEqual([3]);
    expect((await numbers(memory.ask(client, 2, { stages: [X] }))).stages).toEqual([4]);
  });
});

describe('answers', () => {
  it('are kept by question until the next result; what failed is tried again', async () => {
    const memory = new AnswerMemory<{ readonly at: Int32Array }, number>();
    let runs = 0;
    const run = (outcome: Outcome<number>) => () => {
      runs += 1;
      return Promise.resolve(outcome);
    };
    const failed: Outcome<number> = { status: 'failed', error: { code: 'internal', field: '', message: '' } };
    const done: Outcome<number> = { status: 'done', result: 7 };
    await memory.ask(1, { at: Int32Array.of(1, 2) }, run(failed));
    expect(await memory.ask(1, { at: Int32Array.of(1, 2) }, run(done))).toEqual(done);
    expect(await memory.ask(1, { at: Int32Array.of(1, 2) }, run(failed))).toEqual(done);
    expect(runs).toBe(2);
    await memory.ask(1, { at: Int32Array.of(12) }, run(done));
    await memory.ask(2, { at: Int32Array.of(1, 2) }, run(done));
    expect(runs).toBe(4);
  });
});
