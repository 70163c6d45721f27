import { describe, expect, it } from 'vitest';
import { geometricMean } from '../../../web/bench/src/report/statistics.ts';
import {
  ceilingOf,
  compareWithPeers,
  families,
  gigaflops,
  meanSpeedUp,
  meanSpeedUpOver,
} from '../../../web/bench/src/report/summary.ts';
import { entry, race, result } from './example-result.ts';

describe('statistics', () => {
  it('give a doubling and a halving the same weight', () => {
    expect(geometricMean([2, 0.5])).toBeCloseTo(1);
    expect(geometricMean([])).toBeNaN();
  });
});

describe('a comparison with peers', () => {
  const entries = [
    entry('ours-relaxed', 'plan', 2, 4),
    entry('litert', 'flip', 3, 3),
    entry('litert', 'transpose-conv', 5, 9),
    entry('ort', 'Conv', 4, 2),
  ];

  it('divides the time of the fastest form of all peers by that of the plan', () => {
    // The form "flip" of LiteRT.
    expect(compareWithPeers(race('S1', entries)).speedUp.kernel).toBe(1.5);
  });

  it('finds the best peer end to end separately', () => {
    // ONNX Runtime.
    expect(compareWithPeers(race('S1', entries)).speedUp.endToEnd).toBe(0.5);
  });

  it('has no speed-up without times of a peer or of this library', () => {
    expect(compareWithPeers(race('S1', entries.slice(0, 1))).speedUp.kernel).toBeUndefined();
    expect(compareWithPeers(race('S1', entries.slice(1))).speedUp.kernel).toBeUndefined();
  });
});

describe('means', () => {
  const comparisons = [
    race('S1', [entry('ours-relaxed', 'plan', 1), entry('litert', 'conv2d', 2), entry('ort', 'Conv', 8)]),
    race('R1', [entry('ours-relaxed', 'plan', 1), entry('litert', 'conv2d', 8)]),
  ].map(compareWithPeers);

  it('are taken over the shapes that have both times', () => {
    expect(meanSpeedUp(comparisons, 'kernel')).toBeCloseTo(4);
    expect(meanSpeedUpOver(comparisons, 'ort', 'kernel')).toBeCloseTo(8);
    expect(meanSpeedUp(comparisons, 'endToEnd')).toBeNaN();
  });

  it('are computed per family', () => {
    expect([...families(comparisons).keys()]).toEqual(['S', 'R']);
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
