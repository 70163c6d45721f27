import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { batchFor, clockStep, interleave, median, medianTime, TimedRun } from '../../../web/src/worker/timing';

describe('the clock', () => {
  it('has a measured resolution', () => {
    let calls = 0;
    // Every seventh reading is 0.1 ms later.
    const coarse = () => Math.floor(calls++ / 7) / 10;
    expect(clockStep(coarse)).toBeCloseTo(0.1, 9);
  });

  it('that stands still has the resolution 0', () => {
    expect(clockStep(() => 7)).toBe(0);
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
    await interleave(all, 3);
    expect(all.map(({ samples }) => samples.length)).toEqual([3, 3, 3]);
    expect(turns.slice(3).join('')).toBe('abcbcacab');
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

  it('have few calls although the clock does not resolve a single one', () => {
    let calls = 0;
    let time = 0;
    vi.mocked(performance.now).mockImplementation(() => Math.floor(time / 0.1) * 0.1);
    // 0.03 ms a call; a batch of 4 ms has 134.
    const run = new TimedRun(() => {
      calls += 1;
      time += 0.03;
    });
    expect(medianTime(run, 5)).toBeCloseTo(0.03, 3);
    // The warm-up of 150 ms, a batch, 5 rounds.
    expect(calls).toBeLessThan(5100 + 6 * 200);
  });

  it('wait for asynchronous work, and time it like synchronous work', async () => {
    const later = new TimedRun(
      async () => {
        await Promise.resolve();
        now += 30;
      },
      { batch: 4, budget: 60 },
    );
    await interleave([later], 20);
    expect(later.samples).toEqual([30, 30, 30]);
  });

  it('give a median that one slow round does not change', () => {
    let calls = 0;
    // A warm-up of 4 runs, a batch of 2, then rounds of 2: the second round is slow.
    const run = new TimedRun(
      () => {
        calls += 1;
        now += calls > 8 && calls <= 10 ? 500 : 50;
      },
      { batch: 100, budget: 10_000 },
    );
    expect(medianTime(run, 5)).toBe(50);
    expect(run.samples).toEqual([50, 500, 50, 50, 50]);
  });
});

it('the median is the middle value, or the mean of the middle two', () => {
  expect(median([9, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 9])).toBe(3);
  expect(median([])).toBeNaN();
});
