import { describe, expect, it } from 'vitest';
import { batchFor, Contestant, clockStep, interleave } from '../../../web/src/worker/race/timing';

describe('the clock of a race', () => {
  it('is asked for its step', () => {
    let calls = 0;
    // Every seventh look sees the time move on by a tenth of a millisecond.
    const coarse = () => Math.floor(calls++ / 7) / 10;
    expect(clockStep(coarse)).toBeCloseTo(0.1, 9);
  });

  it('gets batches of twenty steps, but not for ever', () => {
    expect(batchFor(0.005)).toBe(4);
    expect(batchFor(1)).toBe(20);
    expect(batchFor(100)).toBe(400);
  });
});

describe('turns', () => {
  it('go round, with another one first each time, and each has as many as it may', async () => {
    const turns: string[] = [];
    let last = '';
    const named = (name: string) =>
      new Contestant(
        () => {
          if (last !== name) turns.push(name);
          last = name;
        },
        { batch: 0.01, budget: 10_000 },
      );
    const all = [named('a'), named('b'), named('c')];
    let told = 0;
    await interleave(all, 3, () => {
      told += 1;
    });
    expect(all.map(({ samples }) => samples.length)).toEqual([3, 3, 3]);
    expect(turns.slice(3).join('')).toBe('abcbcacab');
    expect(told).toBe(3 + 9);
  });

  it('are few for who is slow', async () => {
    const slow = new Contestant(
      () => {
        const end = performance.now() + 30;
        while (performance.now() < end);
      },
      { batch: 4, budget: 60 },
    );
    await interleave([slow], 20);
    expect(slow.samples).toHaveLength(3);
    for (const sample of slow.samples) expect(sample).toBeGreaterThanOrEqual(29);
  });
});
