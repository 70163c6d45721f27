import { describe, expect, it } from 'vitest';
import type { Line } from '../../../web/bench/src/fit/choice.ts';
import { explains, fitFamily } from '../../../web/bench/src/fit/family.ts';
import { fitPrices } from '../../../web/bench/src/fit/solve.ts';
import { readPrices, writeTable } from '../../../web/bench/src/fit/table.ts';
import type { Pass } from '../../../web/src/protocol/problem.ts';
import { entry, race, result } from './example-result.ts';

/** Numbers in (0, 1) that look drawn at random, always the same. */
function* draws(): Generator<number, never> {
  for (let state = 7; ; state = (state * 16807) % 2147483647) yield state / 2147483647;
}

const TRUE = [0.5, 12, 2.5, 60, 4];

/**
 * Algorithms of so many shapes that do some of five things each, in amounts from 1 to 1,000. One price stands in a maximum, as
 * where a unit has a least time.
 */
function amounts(shapes: number) {
  const draw = draws();
  return Array.from({ length: shapes }, (_, shape) =>
    ['a', 'b', 'c'].map((algorithm, i) => ({
      shape: `S${shape}`,
      algorithm,
      amounts: TRUE.map((_, j) => ((i + j) % 3 === 2 ? 0 : 10 ** (3 * draw.next().value))),
    })),
  ).flat();
}

function costOf(each: readonly number[], prices: readonly number[]): number {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = each.map((amount, j) => amount * (prices[j] ?? 0));
  return a + b + c + Math.max(d, e);
}

/** What conv2d_costs answers, for the algorithms above: its slopes are differences, too. */
const asker =
  (work: ReturnType<typeof amounts>) =>
  (prices: readonly number[]): Line[] =>
    work.map(({ shape, algorithm, amounts: each }) => {
      const cost = costOf(each, prices);
      const slopes = prices.map((price, j) => {
        const step = 1e-6 * price;
        return (costOf(each, prices.with(j, price + step)) - cost) / step;
      });
      return { shape, pass: 'forward', algorithm, cost, slopes };
    });

/** As many races, with the times that `timeOf` gives. */
function timed(work: ReturnType<typeof amounts>, timeOf: (work: { amounts: readonly number[] }, i: number) => number) {
  const shapes = [...new Set(work.map(({ shape }) => shape))];
  return result(
    shapes.map((shape) =>
      race(
        shape,
        work.flatMap((each, i) => (each.shape === shape ? [entry('ours', each.algorithm, timeOf(each, i))] : [])),
      ),
    ),
  );
}

/** Prices up to what they have in common: how long a cycle takes is told by nobody. */
function ratios(prices: readonly number[]): number[] {
  const mean = Math.exp(prices.reduce((sum, price) => sum + Math.log(price), 0) / prices.length);
  return prices.map((price) => price / mean);
}

const WRONG = [1.5, 6, 1, 90, 9];

const FEW = 15;

describe('fitted prices', () => {
  const work = amounts(40);
  const ask = asker(work);
  const model = (prices: readonly number[]) => {
    const lines = ask(prices);
    return { costs: lines.map(({ cost }) => cost), slopes: lines.map(({ slopes }) => slopes) };
  };

  it('are those that the times were made from', () => {
    const measured = work.map(({ amounts: each }) => ({ time: 3e-7 * costOf(each, TRUE), weight: 1 }));
    const { prices, residual } = fitPrices(model, WRONG, measured, 1e-9);
    const wanted = ratios(TRUE);
    for (const [j, price] of ratios(prices).entries()) expect(price / (wanted[j] ?? 0)).toBeCloseTo(1, 4);
    expect(residual).toBeLessThan(1e-4);
  });

  it('are nearly those where times scatter by 5 %', () => {
    const noise = draws();
    const measured = work.map(({ amounts: each }) => {
      const scatter = 1 + 0.1 * (noise.next().value - 0.5);
      return { time: scatter * costOf(each, TRUE), weight: 1 };
    });
    const { prices, residual } = fitPrices(model, WRONG, measured, 1e-9);
    const wanted = ratios(TRUE);
    for (const [j, price] of ratios(prices).entries())
      expect(Math.abs(price / (wanted[j] ?? 0) - 1)).toBeLessThan(0.06);
    expect(residual).toBeGreaterThan(0.015);
    expect(residual).toBeLessThan(0.045);
  });

  it('are found with few questions to the library', () => {
    let asked = 0;
    const counted = (prices: readonly number[]) => {
      asked += 1;
      return model(prices);
    };
    const measured = work.map(({ amounts: each }) => ({ time: costOf(each, TRUE), weight: 1 }));
    for (const stiffness of [1e-9, 10]) {
      asked = 0;
      fitPrices(counted, WRONG, measured, stiffness);
      expect(asked).toBeLessThan(FEW);
    }
  });

  it('stay where they were when no time tells them', () => {
    const blind = (prices: readonly number[]) => {
      const { costs, slopes } = model([...prices.slice(0, 5)]);
      return { costs, slopes: slopes.map((each) => [...each, 0]) };
    };
    const measured = work.map(({ amounts: each }) => ({ time: costOf(each, TRUE), weight: 1 }));
    expect(fitPrices(blind, [...WRONG, 77], measured, 1e-9).prices[5]).toBe(77);
  });

  it('are held the harder the stiffer they are', () => {
    const measured = work.map(({ amounts: each }) => ({ time: costOf(each, TRUE), weight: 1 }));
    const moved = [1e9, 10, 1e-9].map((stiffness) =>
      Math.abs(Math.log((fitPrices(model, WRONG, measured, stiffness).prices[0] ?? 0) / 1.5)),
    );
    expect(moved[0]).toBeLessThan(1e-6);
    expect(moved[1]).toBeGreaterThan(moved[0] ?? 0);
    expect(moved[2]).toBeGreaterThan(moved[1] ?? 0);
  });
});

describe('a family', () => {
  const work = amounts(40);

  it('takes prices that choose better and make no choice worse', () => {
    const found = fitFamily([timed(work, ({ amounts: each }) => costOf(each, TRUE))], 'ours', WRONG, asker(work));
    expect(found.means[0]).toBeGreaterThan(1.01);
    expect(found.taken?.means[0]).toBeLessThan(found.means[0] ?? 0);
    expect(found.taken?.worse).toEqual([]);
    expect(found.offers.at(-1)?.means[0]).toBeCloseTo(1, 3);
    expect(explains(found)).toBe(true);
  });

  it('leaves prices that choose better on the whole and make one choice worse', () => {
    // One price, of b: at 11 both races choose a. What b takes draws it below 10, which is worse for the second race.
    const lines = ([price = 0]: readonly number[]): Line[] =>
      ['S0', 'S1'].flatMap((shape) => [
        { shape, pass: 'forward', algorithm: 'a', cost: 10, slopes: [0] },
        { shape, pass: 'forward', algorithm: 'b', cost: price, slopes: [1] },
      ]);
    const races = [
      race('S0', [entry('ours', 'a', 10), entry('ours', 'b', 5)]),
      race('S1', [entry('ours', 'a', 10), entry('ours', 'b', 10.5)]),
    ];
    const found = fitFamily([result(races)], 'ours', [11], lines);
    const freest = found.offers.at(-1);
    expect(freest?.means[0]).toBeLessThan(found.means[0] ?? 0);
    expect(freest?.worse.map(({ race: name }) => name)).toEqual(['S1 forward']);
    expect(found.taken).toBeUndefined();
  });

  it('leaves prices that choose worse in another run', () => {
    const once = timed(work, ({ amounts: each }) => costOf(each, TRUE));
    const again = timed(work, ({ amounts: each }) => costOf(each, WRONG));
    expect(fitFamily([once, once], 'ours', WRONG, asker(work)).taken).toBeDefined();
    expect(fitFamily([once, again], 'ours', WRONG, asker(work)).taken).toBeUndefined();
  });

  it('keeps the prices in force when they choose the best already', () => {
    const exact = timed(work, ({ amounts: each }) => costOf(each, TRUE));
    const found = fitFamily([exact], 'ours', TRUE, asker(work));
    expect(found.means[0]).toBe(1);
    expect(found.residual).toBeLessThan(1e-9);
    expect(found.taken).toBeUndefined();
  });

  it('is told when the model is wrong: when times have nothing to do with what it counts', () => {
    const draw = draws();
    const found = fitFamily([timed(work, () => 10 ** (3 * draw.next().value))], 'ours', WRONG, asker(work));
    expect(explains(found)).toBe(false);
  });

  it('is fitted to the algorithms of its own party, each in its race', () => {
    const [first] = amounts(1);
    const lines = (): Line[] =>
      (['forward', 'backward_data'] as Pass[]).map((pass) => ({
        ...{ shape: 'S0', pass, algorithm: 'a', cost: pass === 'forward' ? 2 : 6, slopes: [1] },
      }));
    const races = [
      race(first?.shape ?? '', [entry('ours', 'plan', 9), entry('ours', 'a', 1), entry('ours-simd', 'a', 50)]),
      { ...race('S0', [entry('ours', 'a', 3)]), pass: 'backward_data' as const },
    ];
    expect(fitFamily([result(races)], 'ours', [1], lines).residual).toBeCloseTo(0, 12);
  });
});

describe('the table', () => {
  const header = `struct Plane {
  double block = 0;  ///< to begin
  double tile_tap = 0;  ///< and each tap
};

struct Loops {
  double element = 0;
};

struct Constants {
  Loops loops;
  Plane plane;
};
`;

  it('lists the prices in the order of Constants', () => {
    expect(readPrices(header).map(({ group, name }) => `${group}.${name}`)).toEqual([
      'loops.element',
      'plane.block',
      'plane.tile_tap',
    ]);
  });

  it('is written with three digits', () => {
    const text = writeTable('kMine', 'Measured.', readPrices(header), [1, 80.123, 6.4567]);
    expect(text).toContain(
      '/// Measured.\nextern constexpr Constants kMine = {\n    .loops =\n        {\n            .element = 1,',
    );
    expect(text).toContain(
      '            .block = 80.1,\n            .tile_tap = 6.46,\n        },\n};\nstatic_assert(complete(kMine));',
    );
  });
});
