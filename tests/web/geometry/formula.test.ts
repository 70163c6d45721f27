import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generalFormula, linear, sumFormula } from '../../../web/src/geometry/formula';
import { gridOf } from '../../../web/src/geometry/grid';
import { indexWords } from '../../../web/src/geometry/labels';
import { OUTSIDE, terms } from '../../../web/src/geometry/terms';
import type { Geometry, GridName } from '../../../web/src/protocol/problem';
import { arbitraryGeometry, cellOf, descOf, geometryOf } from './arbitrary-geometry';

const plain = geometryOf(descOf({ h: 5, w: 5, stride_h: 1, stride_w: 1, padding_mode: 'valid' }));
const MADE: readonly GridName[] = [
  'y',
  'dx',
  'dw',
  'db',
  'x_col',
  'dx_col',
  'y_col',
  'dw_col',
  'dx_padded',
  'dw_per_image',
];

/** A formula index for given values of the summation indices. */
function evaluate(index: string, values: Readonly<Record<string, number>>): number {
  const parts = index
    .replaceAll('−', '+-')
    .split('+')
    .filter((part) => part !== '');
  return parts.reduce((sum, part) => {
    const [, sign = '', factor = '', name = ''] = /^(-?)(\d*)([a-z]?)$/.exec(part) ?? [];
    const size = (factor === '' ? 1 : Number(factor)) * (name === '' ? 1 : (values[name] ?? Number.NaN));
    return sum + (sign === '-' ? -size : size);
  }, 0);
}

/** The pairs of labels of a formula, parsed from its text. */
function spelled(g: Geometry, tensor: GridName, index: number): readonly string[] {
  const formula = sumFormula(g, cellOf(tensor, index), false);
  const right = formula?.text.split(' = ')[1] ?? '';
  if (right === '0') return [];
  const factors = right.replace(/Σ\{[^}]*\} /, '').split(' · ');
  const ranges = (formula?.where ?? []).map((line) => {
    const [, name = '', low = '', high = ''] = /^([a-z]) = (\d+) … (\d+)$/.exec(line) ?? [];
    return { name, low: Number(low), high: Number(high) };
  });
  const made: string[] = [];
  const walk = (at: number, values: Record<string, number>): void => {
    const range = ranges[at];
    if (!range) {
      const named = factors.map((factor) =>
        factor.replace(/\[(.*)\]/, (_, list: string) => `[${list.split(',').map((each) => evaluate(each, values))}]`),
      );
      made.push(named.sort().join(' '));
      return;
    }
    for (let v = range.low; v <= range.high; v += 1) walk(at + 1, { ...values, [range.name]: v });
  };
  walk(0, {});
  return made.sort();
}

describe('the formula of a cell', () => {
  test('contains the indices of the cell', () => {
    expect(sumFormula(plain, cellOf('y', 5), true)).toEqual({
      text: 'y[1,2] = Σ{p,q} x[1+p,2+q] · w[p,q] + b[0]',
      where: ['p = 0 … 2', 'q = 0 … 2'],
    });
    expect(sumFormula(plain, cellOf('y', 5), false)?.text).toBe('y[1,2] = Σ{p,q} x[1+p,2+q] · w[p,q]');
    expect(sumFormula(plain, cellOf('dx', 12), true)?.text).toBe('dx[2,2] = Σ{p,q} dy[2−p,2−q] · w[p,q]');
    expect(sumFormula(plain, cellOf('dw', 5), true)?.text).toBe('dw[1,2] = Σ{i,j} x[1+i,2+j] · dy[i,j]');
    expect(sumFormula(plain, cellOf('db', 0), true)?.text).toBe('db[0] = Σ{i,j} dy[i,j]');
  });

  test('names channels, filters and images if there are several', () => {
    const g = geometryOf(descOf({ h: 5, w: 5, n: 2, c: 3, k: 4, stride_h: 1, stride_w: 1, padding_mode: 'valid' }));
    expect(sumFormula(g, cellOf('y', 1), true)?.text).toBe('y[0,0,0,1] = Σ{c,p,q} x[0,p,q,c] · w[p,q,c,1] + b[1]');
    expect(sumFormula(g, cellOf('dw', 0), true)?.text).toBe('dw[0,0,0,0] = Σ{n,i,j} x[n,i,j,0] · dy[n,i,j,0]');
    expect(indexWords(g, 'x')).toBe('n, row, column, channel');
    expect(indexWords(g, 'w')).toBe('row, column, channel, filter');
    expect(indexWords(g, 'dy')).toBe('n, row, column, filter');
    expect(indexWords(g, 'db')).toBe('filter');
  });

  test('is 0 if no window reads the cell, and null for inputs', () => {
    const g = geometryOf(descOf({ h: 6, w: 6, kh: 1, kw: 1, stride_h: 2, stride_w: 2, padding_mode: 'valid' }));
    expect(sumFormula(g, cellOf('dx', 1), false)).toEqual({ text: 'dx[0,1] = 0', where: [] });
    for (const given of ['x', 'w', 'b', 'dy'] as const) expect(sumFormula(plain, cellOf(given, 0), true)).toBeNull();
  });

  test('expands to exactly the terms of the cell, in any geometry', () => {
    fc.assert(
      fc.property(arbitraryGeometry, fc.constantFrom(...MADE), fc.nat(), (g, tensor, seed) => {
        const index = seed % gridOf(g, tensor).cells;
        const page = terms(g, cellOf(tensor, index));
        const label = (of: GridName, at: number) => sumLabel(g, of, at);
        const expected = Array.from(page?.index_a ?? [], (a, t) => {
          // A factor in the padding has no index to compare.
          if (a === OUTSIDE) return null;
          const names = [label(page?.a ?? 'x', a)];
          if (page?.b) names.push(label(page.b, page.index_b[t] ?? 0));
          return names.sort().join(' ');
        });
        const found = spelled(g, tensor, index);
        expect(found).toHaveLength(expected.length);
        for (const pair of expected) if (pair !== null) expect(found).toContain(pair);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the formula of every cell', () => {
  const g = geometryOf(
    descOf({ n: 2, c: 3, k: 4, h: 9, w: 9, stride_h: 2, stride_w: 2, dilation_h: 1, dilation_w: 2 }),
  );

  test('contains the stride, padding and dilation', () => {
    // descOf pads by 1 on each side.
    expect(generalFormula(g, 'y', true)).toBe('y[n,i,j,k] = Σ{c,p,q} x[n,2i+p−1,2j+2q−1,c] · w[p,q,c,k] + b[k]');
    expect(generalFormula(g, 'dx', true)).toBe('dx[n,u,v,c] = Σ{k,p,q} dy[n,(u+1−p)/2,(v+1−2q)/2,k] · w[p,q,c,k]');
    expect(generalFormula(g, 'dw', true)).toBe('dw[p,q,c,k] = Σ{n,i,j} x[n,2i+p−1,2j+2q−1,c] · dy[n,i,j,k]');
    expect(generalFormula(plain, 'dx', false)).toBe('dx[m,n] = Σ{p,q} dy[m−p,n−q] · w[p,q]');
    expect(generalFormula(plain, 'db', false)).toBe('db[k] = Σ{i,j} dy[i,j]');
    expect(generalFormula(g, 'x', true)).toBeNull();
  });

  test('gives the formula of each cell with its indices', () => {
    fc.assert(
      fc.property(arbitraryGeometry, fc.nat(), fc.nat(), (any, row, col) => {
        const [i, j] = [row % any.oh, col % any.ow];
        const written = /x\[(.*?)\]/.exec(generalFormula(any, 'y', false) ?? '')?.[1]?.split(',') ?? [];
        const spatial = written.filter((index) => /[ij]/.test(index));
        for (const [p, q] of [
          [0, 0],
          [any.kh - 1, any.kw - 1],
        ] as const) {
          const values = { i, j, p, q };
          expect(spatial.map((index) => evaluate(index, values))).toEqual([
            i * any.stride_h + p * any.dilation_h - any.padding.top,
            j * any.stride_w + q * any.dilation_w - any.padding.left,
          ]);
        }
      }),
    );
  });
});

/** The label of a cell with an ASCII minus, as `spelled` writes it. */
function sumLabel(g: Geometry, tensor: GridName, index: number): string {
  const { shape, size } = gridOf(g, tensor);
  const parts = shape.map(
    (_, axis) => Math.floor(index / shape.slice(axis + 1).reduce((a, b) => a * b, 1)) % (shape[axis] ?? 1),
  );
  const spatial = tensor === 'w' ? (g.layout === 'nhwc' ? [0, 1] : [2, 3]) : g.layout === 'nhwc' ? [1, 2] : [2, 3];
  if (size.row * size.col * size.slice * size.channel === 0) return '';
  return `${tensor}[${parts.filter((_, axis) => spatial.includes(axis) || (shape[axis] ?? 1) > 1)}]`;
}

test.each([
  [0, 1, 'p', 'p'],
  [1, 1, 'p', '1+p'],
  [-1, 1, 'p', 'p−1'],
  [2, -1, 'p', '2−p'],
  [0, -1, 'p', '−p'],
  [-3, 2, 'i', '2i−3'],
  [4, -2, 'i', '4−2i'],
])('writes %i + %i %s as %s', (base, slope, name, text) => expect(linear(base, slope, name)).toBe(text));
