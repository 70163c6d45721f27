import { describe, expect, it } from 'vitest';
import type { Network, NetworkCase, NetworkStep } from '../../../web/bench/src/network.ts';
import { ourNetwork, referenceStep } from '../../../web/bench/src/parties/ours-network.ts';
import type { Form, Party, Reference } from '../../../web/bench/src/party.ts';
import { makeCase } from '../../../web/bench/src/problem.ts';
import { raceNetwork } from '../../../web/bench/src/race.ts';
import { markdownOf } from '../../../web/bench/src/report/markdown.ts';
import { loadModule } from '../../../web/src/engine/load.ts';
import { entry, result } from './example-result.ts';

// x = [1 2; 3 4] -> conv 3 x 3 that copies -> ReLU -> max pooling -> conv 3 x 3 that doubles: y = 8.

const network: Network = { name: 'P1', input: { layout: 'nhwc', n: 1, h: 2, w: 2, c: 1 }, filters: [1, 1], rate: 0.5 };
const center = (value: number) => Float32Array.of(0, 0, 0, 0, value, 0, 0, 0, 0);
const problem: NetworkCase = {
  network,
  x: Float32Array.of(1, 2, 3, 4),
  target: Float32Array.of(7),
  parameters: [center(1), Float32Array.of(0), center(2), Float32Array.of(0)],
};

/**
 * By hand: the loss is (8 - 7)^2 / 2 and dy = 1, so that dw2 is 4 in the center, db2 = 1, and 2 reaches the cell of x that is 4. There
 * dw1 is twice the x under each weight, and db1 = 2. The step halves them.
 */
const changes = [1, 2, 0, 3, 4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0.5];

describe('a training step of the library', () => {
  it('has the loss and the changes worked out by hand, with planned and reference algorithms', async () => {
    const { module } = await loadModule('simd');
    const expected = referenceStep(module, problem);
    expect(expected.loss).toBe(0.5);
    expect([...expected.changes]).toEqual(changes);
    const planned = ourNetwork(module, problem);
    expect(await planned.probe()).toBe(0.5);
    expect([...(await planned.endToEnd())]).toEqual(changes);
    // It starts from the given values again after other steps.
    await planned.kernel();
    expect([...(await planned.endToEnd())]).toEqual(changes);
    planned.dispose();
  });
});

describe('a race of training steps', () => {
  const step: NetworkStep = { loss: 0.5, changes: Float32Array.from(changes) };
  const reference: Reference = {
    makeCase: (shape, pass) => makeCase(shape, pass, {} as never),
    expectedResult: () => step.changes,
    expectedStep: () => step,
  };
  const party = (name: string, { loss, changes: own }: NetworkStep): Party => {
    const runner = { kernel: () => {}, endToEnd: () => own, probe: () => loss, dispose: () => {} };
    const form: Form = { name: 'only', prepare: async () => runner };
    return { name, version: '1', forms: () => [], networkForms: () => [form] };
  };

  it('rejects a step with another change of a weight or another loss, and leaves out a party that cannot train', async () => {
    const wrong = { ...step, changes: step.changes.with(19, 0.501) };
    const absent: Party = { name: 'absent', version: '1', forms: () => [] };
    const parties = [party('right', step), party('wrong', wrong), party('lossless', { ...step, loss: 0.6 }), absent];
    const { entries, failures } = await raceNetwork(network, reference, parties, { rounds: 3 });
    expect(entries.map((each) => each.party)).toEqual(['right']);
    expect(entries[0]?.endToEnd).toBeUndefined();
    expect(failures.map((each) => each.party)).toEqual(['wrong', 'lossless']);
  });

  it('is a row of the report, beside the fastest form of each party', () => {
    const entries = [entry('ours-relaxed', 'plan', 2), entry('litert', 'flip', 5), entry('litert', 'other', 9)];
    const failures = [{ party: 'ort', form: 'grad', what: 'no kernel' }];
    const text = markdownOf({ ...result([]), networks: [{ network: 'N1', size: 'two layers', entries, failures }] });
    expect(text).toContain('| network | ours-relaxed | litert | speed-up |');
    expect(text).toContain('| N1 | 2 | 5 flip | 2.50 |');
    expect(text).toContain('N1: two layers.');
    expect(text).toContain('- N1, ort/grad: no kernel');
  });
});
