import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { gridOf, positionAt } from '../../../web/src/geometry/grid';
import { stepCount, stepPosition } from '../../../web/src/geometry/steps';
import { PASSES, type ProcessName, RESULT_OF } from '../../../web/src/protocol/problem';
import { type CheckInput, checkSubject } from '../../../web/src/snippets/check';
import { LANGUAGES } from '../../../web/src/snippets/languages';
import {
  DEFAULT_LOOP_ORDERS,
  indicesOfCell,
  indicesOfStep,
  loopOrderOfCell,
  markLines,
  passOfProcess,
} from '../../../web/src/snippets/snippet';
import { load } from '../contract/support';
import { arbitraryGeometry, descOf } from '../geometry/arbitrary-geometry';
import { givenOf } from './problems';

const [CPP] = LANGUAGES;
const PROCESSES: readonly ProcessName[] = [
  ...(['forward', 'dx_scatter', 'dx_col2im', 'dx_gather', 'dx_full_conv', 'dx_full_conv_unflipped'] as const),
  ...(['dw_accumulate', 'dw_dilated_dy', 'db_accumulate'] as const),
];

describe('the loops', () => {
  test.each(PROCESSES)('of %s are in the order of its player, with the indices of its step', (process) => {
    const pass = passOfProcess(process);
    fc.assert(
      fc.property(arbitraryGeometry, fc.nat(), (geometry, seed) => {
        const steps = 1 + (seed % stepCount(geometry, process));
        const { over, n, row, col } = stepPosition(geometry, process, steps - 1);
        const code = CPP.code({ geometry, bias: true }, pass, { ...DEFAULT_LOOP_ORDERS, [pass]: process });
        const names = over === 'x' ? ['n', 'r', 's'] : over === 'y' ? ['n', 'i', 'j'] : ['p', 'q'];
        const loops = code.flatMap(({ text }) => /^ *for \(int (\w) =/.exec(text)?.[1] ?? []);
        expect(loops.slice(0, names.length)).toEqual(names);
        const known = indicesOfStep(geometry, process, steps, { c: 0, k: 0 });
        const marked = markLines(code, { geometry, known, valueAt: () => null });
        const told = names.map((name) => marked.find(({ text }) => text.includes(`for (int ${name} =`))?.note);
        const at = names.length === 3 ? [n, row, col] : [row, col];
        expect(told).toEqual(at.map((index, i) => `${names[i]} = ${index}`));
        expect(marked.filter((line) => line.marked)).toHaveLength(1);
        expect(code[marked.findIndex((line) => line.marked)]?.computesCell).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test('have no indices before the first step', () => {
    fc.assert(
      fc.property(arbitraryGeometry, (geometry) => {
        const lines = markLines(CPP.code({ geometry, bias: false }, 'forward', DEFAULT_LOOP_ORDERS), {
          ...{ geometry, valueAt: () => null },
          known: indicesOfStep(geometry, 'forward', 0, { c: 0, k: 0 }),
        });
        expect(lines.some(({ marked, note }) => marked || note !== null)).toBe(false);
      }),
      { numRuns: 10 },
    );
  });
});

describe.each(LANGUAGES)('$title', (language) => {
  test('marks the line that computes a cell, with its index and its value', () => {
    fc.assert(
      fc.property(
        arbitraryGeometry,
        fc.nat(),
        fc.constantFrom(...PASSES),
        fc.boolean(),
        (geometry, seed, pass, bias) => {
          const tensor = RESULT_OF[pass];
          const { shape, cells } = gridOf(geometry, tensor);
          const cell = { tensor, index: seed % cells };
          const code = language.code({ geometry, bias }, pass, {
            ...DEFAULT_LOOP_ORDERS,
            [pass]: loopOrderOfCell(pass, cell),
          });
          const lines = markLines(code, {
            ...{ geometry, known: indicesOfCell(geometry, cell) },
            valueAt: (of) => (of.tensor === tensor && of.index === cell.index ? '4.25' : '9'),
          });
          const marked = lines.filter((line) => line.marked);
          expect(marked).toHaveLength(1);
          // Row-major in every language. If db is summed by position, its note shows dy.
          const at = shape.map((_, axis) =>
            Math.floor(cell.index / shape.slice(axis + 1).reduce((all, size) => all * size, 1)),
          );
          const indices = at.map((index, axis) => index % (shape[axis] ?? 1));
          const own = tensor === 'db' ? [positionAt(gridOf(geometry, 'db'), cell.index).channel] : indices;
          const written = language.id === 'cpp' ? own.map((index) => `[${index}]`).join('') : `[${own.join(', ')}]`;
          if (language.id !== 'cpp' || tensor !== 'db') expect(marked[0]?.note).toBe(`${tensor}${written} = 4.25`);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a check is refused', () => {
  let given: CheckInput;
  beforeAll(async () => {
    const { engine } = await load('simd');
    given = givenOf(engine, descOf({ layout: 'nhwc', n: 1, h: 4, w: 4, c: 1, k: 1, groups: 1, kh: 2, kw: 2 }), 2);
  });
  const reason = (change: Partial<CheckInput>) => checkSubject({ ...given, ...change });

  test('while values are hidden', () => {
    expect(typeof reason({})).toBe('object');
    expect(reason({ hides: true })).toBe('A check would reveal the hidden values. Reveal them first.');
  });

  test('if a value is not finite, nothing is computed, or there are too many values', () => {
    const { y, x } = given.tensors;
    if (!y || !x) throw new Error('no tensors');
    const infinite = { ...y, stats: { ...y.stats, not_finite: 1 } };
    expect(reason({ tensors: { ...given.tensors, y: infinite } })).toContain('y has values that are not finite');
    expect(reason({ computed: {} })).toBe('There are no results to check yet.');
    const geometry = { ...given.geometry, h: 4096, w: 4096, c: 2, group_c: 2 };
    const many = { ...x, data: new Float32Array(4096 * 4096 * 2) };
    expect(reason({ geometry, tensors: { ...given.tensors, x: many } })).toMatch(/^33,554,4\d\d values are too many/);
  });
});
