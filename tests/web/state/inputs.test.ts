import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { gridOf, indexAt, positionAt } from '../../../web/src/geometry/grid';
import { drawSample } from '../../../web/src/sources/samples/draw-sample';
import { loadSamples, SAMPLE_NAMES } from '../../../web/src/sources/tensor-sources';
import { cellAt, editCells, type editDesc, editFilter, editSource } from '../../../web/src/state/edits';
import { inputOf, type Problem } from '../../../web/src/state/problem';
import { editImage } from '../../../web/src/state/value-edits';
import { arbitraryDesc, descOf, geometryOf } from '../geometry/arbitrary-geometry';
import { notebook4 } from '../support/notebook4';
import { layerOf, partsOf, withDesc } from '../support/problems';

beforeAll(loadSamples);

const problemOf = (edited: ReturnType<typeof editDesc>): Problem => {
  if ('error' in edited) throw new Error(edited.error.message);
  return edited.problem;
};

const values = (problem: Problem, name: 'x' | 'w' | 'b'): number[] => [...(inputOf(problem, name)?.data ?? [])];

describe('generators', () => {
  test('count as the notebook does, at the same positions in both layouts', () => {
    const nhwc = withDesc(notebook4(), descOf({ n: 2, c: 3, k: 2 }));
    expect(values(nhwc, 'x').slice(0, 4)).toEqual([0, 1, 2, 3]);
    expect(values(nhwc, 'w').slice(0, 4)).toEqual([12, 11, 10, 9]);
    const nchw = withDesc(nhwc, { ...layerOf(nhwc).desc, layout: 'nchw' });
    for (const name of ['x', 'w'] as const) {
      const from = gridOf(geometryOf(layerOf(nhwc).desc), name);
      const to = gridOf(geometryOf(layerOf(nchw).desc), name);
      partsOf(nhwc)[name].data.forEach((value, index) => {
        expect(partsOf(nchw)[name].data[indexAt(to, positionAt(from, index))]).toBe(value);
      });
    }
  });

  test('of random numbers give small whole numbers that stay when sizes change', () => {
    const random = problemOf(editSource(notebook4(), 0, 'x', { kind: 'random', seed: 3 }));
    expect(new Set(values(random, 'x'))).toEqual(new Set([-3, -2, -1, 0, 1, 2, 3]));
    const larger = withDesc(random, descOf({ w: 9 }));
    expect(values(larger, 'x').slice(9, 16)).toEqual(values(random, 'x').slice(7, 14));
    const other = problemOf(editSource(notebook4(), 0, 'x', { kind: 'random', seed: 4 }));
    expect(values(other, 'x')).not.toEqual(values(random, 'x'));
  });

  test('put an impulse into the middle of every channel', () => {
    const problem = problemOf(
      editSource(withDesc(notebook4(), descOf({ h: 3, w: 3, c: 2 })), 0, 'x', { kind: 'impulse' }),
    );
    expect(values(problem, 'x')).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  test('put an image kernel on every channel of a depthwise problem', () => {
    const depthwise = withDesc(notebook4(), descOf({ c: 3, k: 3, groups: 3, kh: 1 }));
    const problem = problemOf(editFilter(depthwise, 0, 'sobel_y'));
    expect(layerOf(problem).w.shape).toEqual([3, 3, 1, 3]);
    expect(values(problem, 'w').slice(0, 9)).toEqual([-1, -1, -1, -2, -2, -2, -1, -1, -1]);
    expect(layerOf(problem).w).toMatchObject({ source: { kind: 'filter', name: 'sobel_y' }, edited: false });
    // An image keeps it, unless a cell of it was edited.
    const edited = problemOf(
      editCells(problem, 0, cellAt('w', { index: 0 }, geometryOf(layerOf(problem).desc)), 5, null),
    );
    const image = {
      h: 4,
      w: 4,
      channels: 1,
      source: { kind: 'file', name: 'a.png', data: new Float32Array(16) },
    } as const;
    const filterAfter = (before: Problem) => layerOf(problemOf(editImage(before, 0, image))).w.source;
    expect(filterAfter(problem)).toEqual({ kind: 'filter', name: 'sobel_y' });
    expect(filterAfter(edited)).toEqual({ kind: 'filter', name: 'sobel_x' });
  });

  test('center a kernel in larger weights', () => {
    const problem = problemOf(editFilter(notebook4(), 0, 'identity'));
    expect(values(withDesc(problem, descOf({ kh: 5, kw: 5 })), 'w').indexOf(1)).toBe(12);
  });
});

describe('resizing', () => {
  test('keeps edited values at their positions and extends by the generator', () => {
    fc.assert(
      fc.property(arbitraryDesc, arbitraryDesc, fc.nat(), (before, after, seed) => {
        const start = withDesc(notebook4(), before);
        const index = seed % start.x.data.length;
        const edited = problemOf(
          editCells(start, 0, cellAt('x', { index: index }, geometryOf(layerOf(start).desc)), 77.5, null),
        );
        const resized = withDesc(edited, after);
        const fresh = withDesc(notebook4(), after);
        const from = gridOf(geometryOf(before), 'x');
        const to = gridOf(geometryOf(after), 'x');
        resized.x.data.forEach((value, i) => {
          const p = positionAt(to, i);
          const old =
            p.slice < from.size.slice &&
            p.row < from.size.row &&
            p.col < from.size.col &&
            p.channel < from.size.channel;
          expect(value).toBe(old ? edited.x.data[indexAt(from, p)] : fresh.x.data[i]);
        });
      }),
      { numRuns: 100 },
    );
  });

  test('keeps a tensor if its shape does not change', () => {
    const problem = notebook4();
    expect(withDesc(problem, descOf({ stride_h: 1 })).x).toBe(problem.x);
  });

  test('generates an unedited ramp again', () => {
    expect(values(withDesc(notebook4(), descOf({ h: 2, w: 3, kh: 1 })), 'x')).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe('samples', () => {
  test.each(SAMPLE_NAMES)('%s has values 0..1, structure, and is deterministic', (name) => {
    const drawn = drawSample(name, 64, 96, 3);
    expect(drawn).toHaveLength(64 * 96 * 3);
    expect(drawn.every((value) => value >= 0 && value <= 1)).toBe(true);
    expect(new Set(drawn).size).toBeGreaterThan(20);
    expect(drawSample(name, 64, 96, 3)).toEqual(drawn);
  });

  test('in one channel are the gray of ITU-R BT.601', () => {
    const color = drawSample('landscape', 8, 8, 3);
    const gray = drawSample('landscape', 8, 8, 1);
    const [r = 0, g = 0, b = 0] = color;
    expect(gray[0]).toBeCloseTo(0.299 * r + 0.587 * g + 0.114 * b, 5);
  });
});
