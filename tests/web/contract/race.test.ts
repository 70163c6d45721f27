import { describe, expect, it } from 'vitest';
import { loadModule } from '../../../web/src/engine/load';
import { PASSES } from '../../../web/src/protocol/problem';
import type { RaceTask } from '../../../web/src/protocol/race';
import { createLibrary, type Entrant } from '../../../web/src/worker/race/library';
import { raceOne } from '../../../web/src/worker/race/race-one';
import { createVerifier } from '../../../web/src/worker/race/verifier';
import { makeDesc as desc } from './requests';

const PACE = { rounds: 3, budget: 30, batch: 0.05 };
const silently = () => undefined;

const tiny = desc({
  n: 2,
  h: 6,
  w: 5,
  c: 3,
  k: 4,
  kh: 3,
  kw: 2,
  stride_h: 2,
  padding: { top: 1, bottom: 0, left: 1, right: 1 },
});

async function ready() {
  const verifier = await createVerifier();
  const library = createLibrary((await loadModule('simd')).module, 'simd');
  const all = (task: RaceTask): readonly Entrant[] => [
    ...verifier.loops,
    library.im2col,
    library.choice,
    ...library.others(task),
  ];
  return { verifier, all };
}

describe('a race', () => {
  it('times correct entrants in all four passes, and gives reasons for the others', async () => {
    const { verifier, all } = await ready();
    for (const pass of PASSES) {
      const race = await raceOne({ desc: tiny, pass }, verifier, all, PACE, silently);
      expect(race.refusal).toBe('');
      const of = (id: string) => race.entries.find((entry) => entry.id === id);
      for (const { id, fate, reason, samples, error } of race.entries) {
        expect([id, fate === 'timed', reason === '']).toEqual([id, fate === 'timed', fate === 'timed']);
        expect(samples.length, id).toBe(fate === 'timed' ? 3 : 0);
        expect(error).toBeLessThan(1e-4);
        expect(['timed', 'left_out']).toContain(fate);
      }
      expect(of('loops:formula')?.fate).toBe('timed');
      expect(of('simd:')?.fate).toBe('timed');
      expect(of('simd:im2col')?.fate).toBe(pass === 'backward_bias' ? 'left_out' : 'timed');
    }
  });

  it('does not time an entrant with a wrong result, even if only packed weights or one value are wrong', async () => {
    const { verifier, all } = await ready();
    for (const wrongFrom of [1, 2]) {
      const wrongEntrants = (task: RaceTask) =>
        all(task).map((entrant) => (entrant.id === 'simd:' ? wrongFromRun(entrant, wrongFrom) : entrant));
      const { entries } = await raceOne({ desc: tiny, pass: 'forward' }, verifier, wrongEntrants, PACE, silently);
      const liar = entries.find(({ id }) => id === 'simd:');
      expect(liar?.fate).toBe('wrong');
      expect(liar?.samples).toEqual([]);
      expect(liar?.reason).toMatch(
        /^its result is wrong \(off by \d\.\de-\d of the largest value\), so it is not timed$/,
      );
      expect(entries.find(({ id }) => id === 'simd:im2col')?.fate).toBe('timed');
    }
  });

  it('does not time an entrant with a wrong length, non-finite values or an error', async () => {
    const { verifier, all } = await ready();
    const results = [() => new Float32Array(3), () => new Float32Array(144).fill(Number.NaN)];
    for (const result of results) {
      const odd = (task: RaceTask) =>
        all(task).map((one) =>
          one.id === 'simd:'
            ? { ...one, prepare: (course: Parameters<Entrant['prepare']>[0]) => ({ ...one.prepare(course), result }) }
            : one,
        );
      const { entries } = await raceOne({ desc: tiny, pass: 'forward' }, verifier, odd, PACE, silently);
      expect(entries.find(({ id }) => id === 'simd:')).toMatchObject({
        fate: 'wrong',
        reason: 'its result is wrong (the values are not finite), so it is not timed',
      });
      // The entrant with the shared buffer is correct again.
      expect(entries.find(({ id }) => id === 'loops:filters_last')?.fate).toBe('timed');
    }
    const broken = (task: RaceTask) =>
      all(task).map((one) =>
        one.id === 'simd:'
          ? {
              ...one,
              prepare: () => {
                throw new Error('no luck');
              },
            }
          : one,
      );
    const { entries } = await raceOne({ desc: tiny, pass: 'forward' }, verifier, broken, PACE, silently);
    expect(entries.find(({ id }) => id === 'simd:')).toMatchObject({ fate: 'failed', samples: [] });
  });

  it('reports the memory of packed weights', async () => {
    const { verifier, all } = await ready();
    const large = desc({ n: 1, h: 12, w: 12, c: 16, k: 16, kh: 3, kw: 3 });
    const { entries } = await raceOne({ desc: large, pass: 'forward' }, verifier, all, PACE, silently);
    expect(entries.find(({ id }) => id === 'simd:')?.scratch_bytes).toBeGreaterThanOrEqual(4 * 16 * 16 * 9);
    expect(entries.find(({ id }) => id === 'loops:formula')?.scratch_bytes).toBe(0);
  });

  it('refuses tasks that would take minutes', async () => {
    const { verifier, all } = await ready();
    const huge = desc({ n: 64, h: 256, w: 256, c: 3, k: 64, kh: 7, kw: 7 });
    const race = await raceOne({ desc: huge, pass: 'forward' }, verifier, all, PACE, silently);
    expect(race.refusal).toBe('too large to race: the plain loops alone would take minutes');
    expect(race.entries).toEqual([]);
  });
});

/** Changes one value of the result by 0.1 %, from run number `from` on. */
function wrongFromRun(entrant: Entrant, from: number): Entrant {
  return {
    ...entrant,
    prepare: (course) => {
      const runner = entrant.prepare(course);
      let runs = 0;
      return {
        ...runner,
        run: () => {
          runner.run();
          runs += 1;
        },
        result: () => {
          const values = runner.result().slice();
          if (runs >= from) values[17] = (values[17] ?? 0) + 0.01;
          return values;
        },
      };
    },
  };
}
