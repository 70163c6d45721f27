import { describe, expect, it } from 'vitest';
import { geometricMean, median } from '../../../web/bench/src/report/statistics.ts';
import {
  ceilingOf,
  families,
  gigaflops,
  judge,
  meanSpeedUp,
  meanSpeedUpOver,
} from '../../../web/bench/src/report/summary.ts';
import { entry, race, result } from './example-result.ts';

describe('statistics', () => {
  it('take the middle, or the mean of the two in the middle', () => {
    expect(median([9, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 9])).toBe(3);
    expect(median([])).toBeNaN();
  });

  it('give a doubling and a halving the same weight', () => {
    expect(geometricMean([2, 0.5])).toBeCloseTo(1);
    expect(geometricMean([])).toBeNaN();
  });
});

describe('a verdict', () => {
  const entries = [
    entry('ours-relaxed', 'plan', 2, 4),
    entry('litert', 'flip', 3, 3),
    entry('litert', 'transpose-conv', 5, 9),
    entry('ort', 'Conv', 4, 2),
  ];

  it('is the time of the best form of the best peer over that of our plan', () => {
    const verdict = judge(race('S1', entries));
    expect(verdict.bestPeer?.form).toBe('flip');
    expect(verdict.speedUp).toBe(1.5);
  });

  it('looks for the best peer end to end on its own', () => {
    const verdict = judge(race('S1', entries));
    expect(verdict.bestPeerEndToEnd?.party).toBe('ort');
    expect(verdict.endToEndSpeedUp).toBe(0.5);
  });

  it('has no speed-up where nobody else has a time, and none where we have none', () => {
    expect(judge(race('S1', entries.slice(0, 1))).speedUp).toBeUndefined();
    expect(judge(race('S1', entries.slice(1))).speedUp).toBeUndefined();
  });
});

describe('means', () => {
  const verdicts = [
    race('S1', [entry('ours-relaxed', 'plan', 1), entry('litert', 'conv2d', 2), entry('ort', 'Conv', 8)]),
    race('R1', [entry('ours-relaxed', 'plan', 1), entry('litert', 'conv2d', 8)]),
  ].map(judge);

  it('are taken over the shapes that have both times', () => {
    expect(meanSpeedUp(verdicts, 'kernel')).toBeCloseTo(4);
    expect(meanSpeedUpOver(verdicts, 'ort', 'kernel')).toBeCloseTo(8);
    expect(meanSpeedUp(verdicts, 'endToEnd')).toBeNaN();
  });

  it('are taken family by family', () => {
    expect([...families(verdicts).keys()]).toEqual(['S', 'R']);
  });
});

it('counts the flops of the direct convolution per second', () => {
  expect(gigaflops(race('S1', []), entry('litert', 'conv2d', 2))).toBe(10);
});

it('measures plain SIMD128 against its own ceiling', () => {
  const any = result([]);
  expect(ceilingOf(any, entry('ours-simd', 'plan', 1))).toBe(20);
  expect(ceilingOf(any, entry('litert', 'conv2d', 1))).toBe(40);
});
