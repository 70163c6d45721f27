import { describe, expect, it } from 'vitest';
import type { Party, Reference, Runner } from '../../../web/bench/src/party.ts';
import { type Case, makeCase } from '../../../web/bench/src/problem.ts';
import { raceAll } from '../../../web/bench/src/race.ts';
import type { Geometry } from '../../../web/src/protocol/problem.ts';

const geometry: Geometry = {
  layout: 'nhwc',
  ...{ n: 1, h: 2, w: 2, c: 1, k: 1, kh: 1, kw: 1, oh: 2, ow: 2 },
  ...{ stride_h: 1, stride_w: 1, dilation_h: 1, dilation_w: 1, groups: 1, group_c: 1, group_k: 1 },
  ...{ dilated_kh: 1, dilated_kw: 1, remainder_h: 0, remainder_w: 0 },
  padding: { top: 0, bottom: 0, left: 0, right: 0 },
};

const right = Float32Array.of(1, 2, 3, 4);
const reference: Reference = {
  makeCase: (shape, pass) => makeCase(shape, pass, geometry),
  expectedResult: () => right,
  expectedStep: () => ({ loss: 0, changes: right }),
};

/** A party with one form, which returns `values` end to end and `probed` with resident data. */
function party(name: string, values: Float32Array, probed: number, disposed: string[] = []): Party {
  const runner: Runner = {
    kernel: () => {},
    endToEnd: () => values,
    probe: () => probed,
    dispose: () => void disposed.push(name),
  };
  return { name, version: '1', forms: () => [{ name: 'only', prepare: async () => runner }] };
}

const race = (parties: readonly Party[]) =>
  raceAll(reference, parties, { shapes: ['P1'], passes: ['forward'], threads: 1, rounds: 3, endToEnd: true }, () => {});

describe('a race', () => {
  it('times correct parties, in the requested number of rounds', async () => {
    const { races } = await race([party('right', right, 4)]);
    expect(races[0]?.failures).toEqual([]);
    expect(races[0]?.entries[0]).toMatchObject({ party: 'right', form: 'only', error: 0 });
    expect(races[0]?.entries[0]?.kernel.samples).toHaveLength(3);
    expect(races[0]?.entries[0]?.endToEnd?.samples).toHaveLength(3);
  });

  it('rejects parties with wrong results, end to end or with resident data', async () => {
    const wrong = party('wrong', Float32Array.of(1, 2, 3, 5), 4);
    const { races } = await race([wrong, party('stale', right, 0)]);
    expect(races[0]?.entries).toEqual([]);
    expect(races[0]?.failures.map(({ party: name, what }) => [name, what])).toEqual([
      ['wrong', 'wrong result: relative error 2.5e-1'],
      ['stale', 'wrong result with resident data: 0 instead of 4'],
    ]);
  });

  it('passes on the notes of a party', async () => {
    const noted = party('noted', right, 4);
    const [form] = noted.forms({} as Case);
    const forms = () => [
      { name: 'only', prepare: async () => ({ ...(await form?.prepare()), note: 'zeroed' }) as Runner },
    ];
    const { races } = await race([{ ...noted, forms }, party('right', right, 4)]);
    expect(races[0]?.entries.map(({ note }) => note)).toEqual(['zeroed', undefined]);
  });

  it('does not start with subnormal numbers', async () => {
    const withTiny = { ...reference, expectedResult: () => Float32Array.of(1, 2, 3, 2 ** -130) };
    const options = { shapes: ['P1'], passes: ['forward' as const], threads: 1, rounds: 3, endToEnd: true };
    await expect(raceAll(withTiny, [], options, () => {})).rejects.toThrow(
      'P1 forward: 1 values of result are subnormal',
    );
  });

  it('reports failing parties, continues with the others, and disposes all', async () => {
    const disposed: string[] = [];
    const broken: Party = {
      name: 'broken',
      version: '1',
      forms: (_: Case) => [
        {
          name: 'only',
          prepare: async () => {
            throw new Error('no such operation');
          },
        },
        {
          name: 'other',
          isSupported: false,
          prepare: () => Promise.reject(new Error('called an unsupported form')),
        },
      ],
    };
    const parties = [broken, party('wrong', right, 0, disposed), party('right', right, 4, disposed)];
    const { races } = await race(parties);
    expect(races[0]?.failures[0]).toEqual({ party: 'broken', form: 'only', what: 'no such operation' });
    expect(races[0]?.failures).toHaveLength(2);
    expect(races[0]?.entries).toHaveLength(1);
    expect(disposed).toEqual(['wrong', 'right']);
  });
});
