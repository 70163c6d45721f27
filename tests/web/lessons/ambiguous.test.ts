import { beforeAll, describe, expect, test } from 'vitest';
import {
  type ExerciseQuestion,
  isValue,
  MOST_AMBIGUOUS,
  type ValueQuestion,
} from '../../../web/src/app/lesson/exercise/question';
import { EXERCISES, type ExerciseSet } from '../../../web/src/lessons/exercises';
import { parseLink } from '../../../web/src/link/parse-link';
import { requestOf } from '../../../web/src/state/exchange';
import { THOROUGH } from '../../thorough';
import { layerIn } from '../contract/support';
import { layerOf, partsOf } from '../support/problems';
import { Decider, drawWith, firstDrawn } from './draws';
import { SLIPS, wrongValues } from './slips';

// No mistake gives the right answer of a question: neither by the library, nor by the loops of slips.ts.

const SEEDS = Number(process.env['CONV2D_EXERCISE_SEEDS'] ?? (THOROUGH ? 200 : 50));

let decider: Decider;
beforeAll(async () => {
  decider = await Decider.load();
});

const setOf = (id: string): ExerciseSet => EXERCISES.find((set) => set.id === id) ?? expect.fail(`there is no ${id}`);

/** The slips of slips.ts that give the right value of a question about one layer, though they change the result. */
function slipsBehind({ problem, cell }: ValueQuestion): readonly string[] {
  const { dy } = layerIn(decider.engine.compute(requestOf(problem), 1)).tensors;
  const given = { problem, dy: dy?.data ?? expect.fail('no dy'), tensor: cell.tensor };
  const right = wrongValues(given, null);
  return Object.keys(SLIPS).filter((name) => {
    const wrong = wrongValues(given, name);
    const changes = [...wrong].some(([at, value]) => value !== right.get(at));
    return changes && wrong.has(cell.index) && wrong.get(cell.index) === right.get(cell.index);
  });
}

const isDrawnAgain = (question: ExerciseQuestion): boolean =>
  isValue(question) ? decider.isAmbiguous(question) : question.ambiguous;

describe('worked by hand', () => {
  test('the third question about gradients had x[1,0] = x[2,0] = -3, so that a forgotten stride gave 2 as well', () => {
    const first = firstDrawn({ set: setOf('gradients'), index: 2 }, drawWith({}));
    if (first.kind !== 'cell') throw new Error('it is about a cell');
    const { desc, x } = partsOf(first.problem);
    expect([desc.stride_h, desc.kh, first.cell]).toEqual([2, 2, { tensor: 'dw', index: 0 }]);
    // x[0,0] * 2 + x[2,0] * -2 = -4 + 6, and with x[1,0] in place of x[2,0] the same.
    expect([0, 1, 2].map((row) => x.data[row * desc.w])).toEqual([-2, -3, -3]);
    expect(decider.isAmbiguous(first)).toBe(true);
    expect(slipsBehind(first)).toContain('stride forgotten');
  });

  test.each([
    // y[0,1] = 2*3 - 5*1 = 1; without the stride 2*x1 + 5*3.
    [-7, true],
    [1, false],
  ])('y[0,1] of 9, %s, 3, -1 and 2, 5 with stride 2: ambiguous is %s', (second, ambiguous) => {
    const { problem } = parseLink('h=1&w=4&kh=1&kw=2&stride=2&padding=0&x=random:1&weights=random:1');
    problem.x.data.set([9, second, 3, -1]);
    layerOf(problem).w.data.set([2, 5]);
    const cell = { tensor: 'y', index: 1 } as const;
    expect(decider.isAmbiguous({ kind: 'cell', problem, cell, sentence: '', link: '' })).toBe(ambiguous);
  });

  test('rows of y: 13 rows, kernel 3, stride 2 and padding 1 on both sides are 7, and padding on one side gives 6', () => {
    // (13 + 2 - 3) / 2 + 1 = 7; (13 + 1 - 3) / 2 = 5.5: 6.  With 14 rows (14 + 2 - 3) / 2 = 6.5: 7, and (14 + 1 - 3) / 2 + 1 = 7.
    const first = (h: number) => {
      const varies = { h: [h], w: [9], kh: [3], kw: [3], stride: [2], padding: [1] };
      return firstDrawn({ set: { ...setOf('shapes'), asks: ['rows of y'], varies }, index: 0 }, drawWith({}));
    };
    expect([first(13), first(14)]).toMatchObject([
      { right: 7, ambiguous: false },
      { right: 7, ambiguous: true },
    ]);
  });

  test('cells that a sum reads: the first window is the same without the stride, the second is not', () => {
    const varies = { h: [5], w: [5], kh: [2], kw: [2], stride: [2], padding: [0] };
    const set = { ...setOf('readers'), asks: ['reads y'] as const, varies };
    const draws = Array.from({ length: 40 }, (_, round) =>
      firstDrawn({ set, index: 0 }, drawWith({ answers: `${round + 1}:` })),
    );
    const known = new Map(draws.map((one) => [one.kind === 'reads' && one.cell.index, isDrawnAgain(one)]));
    expect([...known].sort()).toEqual([
      [0, true],
      [1, false],
      [2, false],
      [3, false],
    ]);
  });
});

describe.each(EXERCISES.map((set) => [set.id, set] as const))('%s', (id, set) => {
  test(`is settled in fewer than ${MOST_AMBIGUOUS} draws for ${SEEDS} seeds, and no mistake gives an answer`, async () => {
    let [again, most] = [0, 0];
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      for (let index = 0; index < set.questions; index += 1) {
        const draw = drawWith({ seed: String(seed) });
        const { question, rejected } = await decider.settled({ set, index }, draw);
        expect(isDrawnAgain(question), `${id} ${seed} ${index}`).toBe(false);
        if (question.kind === 'cell') expect(slipsBehind(question), question.link ?? '').toEqual([]);
        again += Number(isValue(question) ? rejected > 0 : isDrawnAgain(firstDrawn({ set, index }, draw)));
        most = Math.max(most, rejected);
      }
    }
    expect(most).toBeLessThan(MOST_AMBIGUOUS / 2);
    // Otherwise nothing was looked for.
    expect(again).toBeGreaterThan(0);
  });
});
