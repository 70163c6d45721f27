import { describe, expect, it } from 'vitest';
import { choicesOf, withChoices } from '../../../web/bench/src/report/choices.ts';
import { markdownOf } from '../../../web/bench/src/report/index.ts';
import type { Entry } from '../../../web/bench/src/result.ts';
import { entry, race, result } from './example-result.ts';

/** A plan that chose `algorithm`, and the times of the party's algorithms by name. */
const raced = (party: string, algorithm: string, times: Readonly<Record<string, number>>): Entry[] => [
  { ...entry(party, 'plan', 7), algorithm },
  ...Object.entries(times).map(([form, time]) => entry(party, form, time)),
];

describe('a choice', () => {
  it('is compared only with named algorithms of its own party', () => {
    const entries = [
      ...raced('ours-relaxed', 'direct', { direct: 2, scatter: 1.6, gather: 9 }),
      ...raced('ours-2-threads', 'gather', { gather: 0.5, direct: 0.6 }),
      entry('ours-simd', 'direct', 0.1),
    ];
    expect(choicesOf(race('S1', entries))).toEqual([
      { ...{ shape: 'S1', pass: 'forward', party: 'ours-relaxed' }, ...at('direct', 2, 'scatter', 1.6), ratio: 1.25 },
      { ...{ shape: 'S1', pass: 'forward', party: 'ours-2-threads' }, ...at('gather', 0.5, 'gather', 0.5), ratio: 1 },
    ]);
  });

  it('is left out unless the chosen algorithm and another one were timed by name', () => {
    expect(choicesOf(race('S1', raced('ours', 'direct', { scatter: 1, gather: 2 })))).toEqual([]);
    expect(choicesOf(race('S1', raced('ours', 'direct', { direct: 1 })))).toEqual([]);
    expect(choicesOf(race('S1', [entry('litert', 'plan', 1)]))).toEqual([]);
  });
});

const at = (chosen: string, time: number, best: string, bestTime: number) => ({ chosen, time, best, bestTime });

describe('the choices of a run', () => {
  const backwards = {
    ...race('R1', raced('ours', 'gather', { gather: 4, direct: 2 })),
    pass: 'backward_data' as const,
  };
  const run = result([
    race('S1', raced('ours', 'direct', { direct: 1, scatter: 5 })),
    race('S2', raced('ours', 'direct', { direct: 1.01, scatter: 1 })),
    backwards,
  ]);

  it('are counted, with a geometric mean', () => {
    const { choices, choiceSummaries } = withChoices(run);
    expect(choices).toHaveLength(3);
    expect(choiceSummaries).toHaveLength(1);
    const [summary] = choiceSummaries ?? [];
    expect(summary).toMatchObject({ party: 'ours', races: 3, best: 1, close: 2 });
    expect(summary?.mean).toBeCloseTo((1 * 1.01 * 2) ** (1 / 3), 12);
    expect(summary?.meanByPass.forward).toBeCloseTo(Math.sqrt(1.01), 12);
    expect(summary?.meanByPass.backward_data).toBeCloseTo(2, 12);
    expect(summary?.worst).toMatchObject({ shape: 'R1', ratio: 2 });
  });

  it('are printed race by race and in one line', () => {
    const lines = markdownOf(run).split('\n');
    expect(lines).toContain('| S1 | forward | ours | direct | 1 | = | 1 | 1.00 |');
    expect(lines).toContain('| R1 | backward_data | ours | gather | 4 | direct | 2 | 2.00 |');
    expect(lines).toContain(
      '- ours: chosen / best, geometric mean **1.264** (forward 1.005, backward_data 2.000); the best in 1 of 3 races, ' +
        'within 2 % of it in 2; worst 2.00: R1 backward_data, gather instead of direct.',
    );
  });

  it('are left out if no algorithms were raced', () => {
    const peers = result([race('S1', [entry('ours-relaxed', 'plan', 1), entry('litert', 'conv2d', 2)])]);
    expect(withChoices(peers)).toEqual(peers);
    expect(markdownOf(peers)).not.toContain('## Choices');
  });
});
