import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CostLine } from '../../../web/bench/src/fit/choice.ts';
import { explains, fitFamily } from '../../../web/bench/src/fit/family.ts';
import { fitCoefficients } from '../../../web/bench/src/fit/solve.ts';
import { readCoefficients, writeTable } from '../../../web/bench/src/fit/table.ts';
import type { Pass } from '../../../web/src/protocol/problem.ts';
import { entry, race, result } from './example-result.ts';

/** Deterministic pseudo-random numbers in (0, 1). */
function* draws(): Generator<number, never> {
  for (let state = 7; ; state = (state * 16807) % 2147483647) yield state / 2147483647;
}

const TRUE = [0.5, 12, 2.5, 60, 4];

/**
 * Algorithms for a number of shapes. Each needs some of five operations, 1 to 1,000 times. The cost has a maximum of
 * two terms, like the minimum time of a unit.
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

function costOf(each: readonly number[], coefficients: readonly number[]): number {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = each.map((amount, j) => amount * (coefficients[j] ?? 0));
  return a + b + c + Math.max(d, e);
}

/** The answers of conv2d_costs for the algorithms above; the slopes are differences, too. */
const costProgram =
  (work: ReturnType<typeof amounts>) =>
  (coefficients: readonly number[]): CostLine[] =>
    work.map(({ shape, algorithm, amounts: each }) => {
      const cost = costOf(each, coefficients);
      const slopes = coefficients.map((coefficient, j) => {
        const step = 1e-6 * coefficient;
        return (costOf(each, coefficients.with(j, coefficient + step)) - cost) / step;
      });
      return { shape, pass: 'forward', algorithm, cost, slopes };
    });

/** Races with the times from `timeOf`. */
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

/** Coefficients up to a common factor, because the duration of a cycle is unknown. */
function ratios(coefficients: readonly number[]): number[] {
  const mean = Math.exp(
    coefficients.reduce((sum, coefficient) => sum + Math.log(coefficient), 0) / coefficients.length,
  );
  return coefficients.map((coefficient) => coefficient / mean);
}

const WRONG = [1.5, 6, 1, 90, 9];

/** More than the calls of each fit. */
const FEW = 15;

describe('fitted coefficients', () => {
  const work = amounts(40);
  const estimateCosts = costProgram(work);
  const model = (coefficients: readonly number[]) => {
    const lines = estimateCosts(coefficients);
    return { costs: lines.map(({ cost }) => cost), slopes: lines.map(({ slopes }) => slopes) };
  };

  it('equal the coefficients that generated the times', () => {
    const observations = work.map(({ amounts: each }) => ({ time: 3e-7 * costOf(each, TRUE), weight: 1 }));
    const { coefficients, residual } = fitCoefficients(model, WRONG, observations, 1e-9);
    const wanted = ratios(TRUE);
    for (const [j, coefficient] of ratios(coefficients).entries())
      expect(coefficient / (wanted[j] ?? 0)).toBeCloseTo(1, 4);
    expect(residual).toBeLessThan(1e-4);
  });

  it('are close to these coefficients if times scatter by 5 %', () => {
    const noise = draws();
    const observations = work.map(({ amounts: each }) => {
      const scatter = 1 + 0.1 * (noise.next().value - 0.5);
      return { time: scatter * costOf(each, TRUE), weight: 1 };
    });
    const { coefficients, residual } = fitCoefficients(model, WRONG, observations, 1e-9);
    const wanted = ratios(TRUE);
    for (const [j, coefficient] of ratios(coefficients).entries())
      expect(Math.abs(coefficient / (wanted[j] ?? 0) - 1)).toBeLessThan(0.06);
    expect(residual).toBeGreaterThan(0.015);
    expect(residual).toBeLessThan(0.045);
  });

  it('are found with few calls of the library', () => {
    let calls = 0;
    const counted = (coefficients: readonly number[]) => {
      calls += 1;
      return model(coefficients);
    };
    const observations = work.map(({ amounts: each }) => ({ time: costOf(each, TRUE), weight: 1 }));
    for (const stiffness of [1e-9, 10]) {
      calls = 0;
      fitCoefficients(counted, WRONG, observations, stiffness);
      expect(calls).toBeLessThan(FEW);
    }
  });

  it('are unchanged if no time depends on them', () => {
    const blind = (coefficients: readonly number[]) => {
      const { costs, slopes } = model([...coefficients.slice(0, 5)]);
      return { costs, slopes: slopes.map((each) => [...each, 0]) };
    };
    const observations = work.map(({ amounts: each }) => ({ time: costOf(each, TRUE), weight: 1 }));
    expect(fitCoefficients(blind, [...WRONG, 77], observations, 1e-9).coefficients[5]).toBe(77);
  });

  it('change less with a higher stiffness', () => {
    const observations = work.map(({ amounts: each }) => ({ time: costOf(each, TRUE), weight: 1 }));
    const moved = [1e9, 10, 1e-9].map((stiffness) =>
      Math.abs(Math.log((fitCoefficients(model, WRONG, observations, stiffness).coefficients[0] ?? 0) / 1.5)),
    );
    expect(moved[0]).toBeLessThan(1e-6);
    expect(moved[1]).toBeGreaterThan(moved[0] ?? 0);
    expect(moved[2]).toBeGreaterThan(moved[1] ?? 0);
  });
});

describe('a family', () => {
  const work = amounts(40);

  it('accepts coefficients that choose better and make no choice worse', () => {
    const found = fitFamily([timed(work, ({ amounts: each }) => costOf(each, TRUE))], 'ours', WRONG, costProgram(work));
    expect(found.means[0]).toBeGreaterThan(1.01);
    expect(found.accepted?.means[0]).toBeLessThan(found.means[0] ?? 0);
    expect(found.accepted?.worse).toEqual([]);
    expect(found.candidates.at(-1)?.means[0]).toBeCloseTo(1, 3);
    expect(explains(found)).toBe(true);
  });

  it('rejects coefficients that choose better overall but make one choice worse', () => {
    // The coefficient is the cost of b: with 11, both races choose a. The fit moves it below 10, which is worse in S1.
    const lines = ([coefficient = 0]: readonly number[]): CostLine[] =>
      ['S0', 'S1'].flatMap((shape) => [
        { shape, pass: 'forward', algorithm: 'a', cost: 10, slopes: [0] },
        { shape, pass: 'forward', algorithm: 'b', cost: coefficient, slopes: [1] },
      ]);
    const races = [
      race('S0', [entry('ours', 'a', 10), entry('ours', 'b', 5)]),
      race('S1', [entry('ours', 'a', 10), entry('ours', 'b', 10.5)]),
    ];
    const found = fitFamily([result(races)], 'ours', [11], lines);
    const leastStiff = found.candidates.at(-1);
    expect(leastStiff?.means[0]).toBeLessThan(found.means[0] ?? 0);
    expect(leastStiff?.worse.map(({ race: name }) => name)).toEqual(['S1 forward']);
    expect(found.accepted).toBeUndefined();
  });

  it('rejects coefficients that choose worse in another run', () => {
    const once = timed(work, ({ amounts: each }) => costOf(each, TRUE));
    const again = timed(work, ({ amounts: each }) => costOf(each, WRONG));
    expect(fitFamily([once, once], 'ours', WRONG, costProgram(work)).accepted).toBeDefined();
    expect(fitFamily([once, again], 'ours', WRONG, costProgram(work)).accepted).toBeUndefined();
  });

  it('keeps the current coefficients if they already choose the best', () => {
    const exact = timed(work, ({ amounts: each }) => costOf(each, TRUE));
    const found = fitFamily([exact], 'ours', TRUE, costProgram(work));
    expect(found.means[0]).toBe(1);
    expect(found.residual).toBeLessThan(1e-9);
    expect(found.accepted).toBeUndefined();
  });

  it('reports a wrong model if times do not depend on its counts', () => {
    const draw = draws();
    const found = fitFamily([timed(work, () => 10 ** (3 * draw.next().value))], 'ours', WRONG, costProgram(work));
    expect(explains(found)).toBe(false);
  });

  it('is fitted to the algorithms of its own party, each in its race', () => {
    const [first] = amounts(1);
    const lines = (): CostLine[] =>
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

describe('the tables', () => {
  const header = `/// Base table: by hand.
struct Plane {
  double block = 80;  ///< to begin
  double tile_tap = 6;  ///< and each tap
};

struct Loops {
  double element = 1;
};

struct Constants {
  Loops loops;
  Plane plane;
};
`;
  const overrides = ['kMine', 'kOther']
    .map(
      (family) =>
        `/// Guessed.\nextern constexpr Constants ${family} = [] {\n  Constants c;\n  c.plane.block = 90;\n  return c;\n}();\n`,
    )
    .join('\n');

  it('list the coefficients in the order of Constants', () => {
    expect(readCoefficients(header).map(({ group, name, value }) => `${group}.${name} ${value}`)).toEqual([
      'loops.element 1',
      'plane.block 80',
      'plane.tile_tap 6',
    ]);
  });

  it('have what a family changes, with three digits', () => {
    const written = writeTable({ header, overrides }, 'kMine', 'Measured.', [1, 80.123, 6.4567]);
    expect(written.header).toBe(header);
    expect(written.overrides).toBe(
      overrides
        .replace('Guessed', 'Measured')
        .replace('  c.plane.block = 90;\n', '  c.plane.block = 80.1;\n  c.plane.tile_tap = 6.46;\n'),
    );
    const asBase = writeTable({ header, overrides }, 'kMine', 'Measured.', [1, 80, 6]);
    expect(asBase.overrides).toContain('kMine = [] {\n  Constants c;\n  return c;');
  });

  it('keep the other families when the base table changes', () => {
    const written = writeTable({ header, overrides }, 'kZen3', 'measured.', [1, 90, 7]);
    expect(written.header).toBe(
      header.replace('by hand', 'measured').replace('block = 80', 'block = 90').replace('tile_tap = 6', 'tile_tap = 7'),
    );
    expect(written.overrides).toBe(overrides.replaceAll('c.plane.block = 90;', 'c.plane.tile_tap = 6;'));
  });

  it('of the library are found and unchanged by their own values', () => {
    const read = (file: string) => readFileSync(`cpp/src/cost/${file}`, 'utf8');
    const sources = { header: read('constants.hpp'), overrides: read('tables.cpp') };
    const base = readCoefficients(sources.header).map(({ value }) => value);
    expect(base.length).toBeGreaterThan(50);
    const told = /^\/\/\/ Base table: (.*)$/m.exec(sources.header)?.[1] ?? '';
    expect(writeTable(sources, 'kZen3', told, base)).toEqual(sources);
    for (const family of ['kWasmSimd', 'kWasmRelaxed'])
      expect(writeTable(sources, family, 'X.', base).overrides).not.toBe(sources.overrides);
  });
});
