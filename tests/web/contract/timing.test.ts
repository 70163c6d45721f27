import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { batchFor, clockStep, interleave, TimedRun } from '../../../web/src/worker/race/timing';

describe('the clock of a race', () => {
  it('has a measured resolution', () => {
    let calls = 0;
    // Every seventh reading is 0.1 ms later.
    const coarse = () => Math.floor(calls++ / 7) / 10;
    expect(clockStep(coarse)).toBeCloseTo(0.1, 9);
  });

  it('gets batches of 20 clock steps, up to a maximum', () => {
    expect(batchFor(0.005)).toBe(4);
    expect(batchFor(1)).toBe(20);
    expect(batchFor(100)).toBe(400);
  });
});

describe('rounds', () => {
  /** The clock, ms. */
  let now = 0;
  beforeEach(() => {
    now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => void vi.restoreAllMocks());

  it('rotate the order, and give each run its number of rounds', async () => {
    const turns: string[] = [];
    let last = '';
    const named = (name: string) =>
      new TimedRun(
        () => {
          if (last !== name) turns.push(name);
          last = name;
          now += 50;
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

  it('are few for slow work', async () => {
    const slow = new TimedRun(
      () => {
        now += 30;
      },
      { batch: 4, budget: 60 },
    );
    await interleave([slow], 20);
    expect(slow.samples).toHaveLength(3);
    expect(slow.samples).toEqual([30, 30, 30]);
  });
});
