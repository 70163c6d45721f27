import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { gridOf } from '../../../web/src/geometry/grid';
import { OUTSIDE, terms } from '../../../web/src/geometry/terms';
import type { Geometry, GridName } from '../../../web/src/protocol/problem';
import { arbitraryGeometry, type BruteTerm, bruteTerms, cellOf, descOf, geometryOf } from './arbitrary-geometry';

// Brute force is slow while other suites run.
vi.setConfig({ testTimeout: 30_000 });

const pairsOf = (g: Geometry, tensor: GridName, index: number): string[] => {
  const page = terms(g, cellOf(tensor, index));
  if (!page) return [];
  const outside = page.index_a.filter((a) => a === OUTSIDE).length;
  if (page.index_a.length !== page.total || outside !== page.inPadding) return [`miscounted ${tensor}[${index}]`];
  return Array.from(page.index_a, (a, t) => (page.b ? `${a},${page.index_b[t]}` : `${a}`));
};

/** The brute-force pairs of each cell of a tensor. */
function grouped(
  all: readonly BruteTerm[],
  key: (t: BruteTerm) => number | null,
  pair: (t: BruteTerm) => string,
): Map<number, string[]> {
  const map = new Map<number, string[]>();
  for (const term of all) {
    const index = key(term);
    if (index === null) continue;
    const list = map.get(index);
    if (list) list.push(pair(term));
    else map.set(index, [pair(term)]);
  }
  return map;
}

const sorted = (list: readonly string[]): string[] => [...list].sort();

function expectEveryCell(g: Geometry, tensor: GridName, expected: Map<number, string[]>): void {
  const cells = Array.from({ length: gridOf(g, tensor).cells }, (_, index) => index);
  expect(cells.map((index) => sorted(pairsOf(g, tensor, index)))).toEqual(
    cells.map((index) => sorted(expected.get(index) ?? [])),
  );
}

const check = (property: (g: Geometry, all: readonly BruteTerm[]) => void): void =>
  fc.assert(
    fc.property(arbitraryGeometry, (g) => property(g, bruteTerms(g))),
    { numRuns: 100 },
  );

const x = (t: BruteTerm): number => t.x ?? OUTSIDE;

describe('terms agree with the seven loops of the definition', () => {
  test('y: x times w, with taps in the padding', () => {
    check((g, all) =>
      expectEveryCell(
        g,
        'y',
        grouped(
          all,
          (t) => t.y,
          (t) => `${x(t)},${t.w}`,
        ),
      ),
    );
  });

  test('dx: w times dy', () => {
    check((g, all) =>
      expectEveryCell(
        g,
        'dx',
        grouped(
          all,
          (t) => t.x,
          (t) => `${t.w},${t.y}`,
        ),
      ),
    );
  });

  test('dw: x times dy', () => {
    check((g, all) =>
      expectEveryCell(
        g,
        'dw',
        grouped(
          all,
          (t) => t.w,
          (t) => `${x(t)},${t.y}`,
        ),
      ),
    );
  });

  test('db: the sum of its filter in dy', () => {
    check((g) => {
      const channel = (index: number) => (g.layout === 'nhwc' ? index % g.k : Math.floor(index / (g.oh * g.ow)) % g.k);
      const cells = Array.from({ length: gridOf(g, 'dy').cells }, (_, index) => index);
      for (let k = 0; k < g.k; k += 1) {
        const expected = cells.filter((index) => channel(index) === k).map(String);
        expect(sorted(pairsOf(g, 'db', k))).toEqual(sorted(expected));
      }
    });
  });

  test('x_col: copies of x', () => {
    check((g, all) => {
      const { stride } = gridOf(g, 'x_col');
      const key = (t: BruteTerm) => t.group * stride.slice + t.matrix_row * stride.row + t.matrix_col;
      const copies = grouped(all, key, (t) => String(x(t)));
      // Every filter of a group reads the same copy.
      expectEveryCell(g, 'x_col', new Map([...copies].map(([index, list]) => [index, list.slice(0, 1)])));
    });
  });

  test('dx_col: w times dy, filter by filter', () => {
    check((g, all) => {
      const { stride } = gridOf(g, 'dx_col');
      const key = (t: BruteTerm) => t.group * stride.slice + t.matrix_row * stride.row + t.matrix_col;
      expectEveryCell(
        g,
        'dx_col',
        grouped(all, key, (t) => `${t.w},${t.y}`),
      );
    });
  });
});

describe('a page of terms', () => {
  const large = geometryOf(descOf({ h: 1024, w: 1024, stride_h: 1, stride_w: 1 }));

  test('lists a part and counts all terms', () => {
    const page = terms(large, cellOf('dw', 0), 1026);
    expect(page?.total).toBe(1024 * 1024);
    // Tap (0, 0) meets the top padding in the first output row and the left padding in the first column of the other
    // rows.
    expect(page?.inPadding).toBe(1024 + 1023);
    expect([...(page?.index_a ?? [])].slice(1023)).toEqual([OUTSIDE, OUTSIDE, 0]);
    expect([...(page?.index_b ?? [])].slice(1023)).toEqual([1023, 1024, 1025]);
  });

  test('has no more terms than there are', () => {
    expect(terms(large, cellOf('y', 0), 12)?.index_a.length).toBe(9);
  });

  test('is in order of position', () => {
    const page = terms(geometryOf(descOf({})), cellOf('y', 5));
    expect([...(page?.index_b ?? [])]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect([...(page?.index_a ?? [])]).toEqual([8, 9, 10, 15, 16, 17, 22, 23, 24]);
  });

  test('counts the taps of dx without an output position', () => {
    // Cell (0, 0) of the fourth case is (1, 1) of x_padded: with stride 2 only the middle tap reads it.
    expect(terms(geometryOf(descOf({})), cellOf('dx', 0))).toMatchObject({ total: 1, unmetTaps: 8 });
  });

  test('is null for inputs', () => {
    for (const name of ['x', 'w', 'b', 'dy'] as const) {
      expect(terms(geometryOf(descOf({})), cellOf(name, 0))).toBeNull();
    }
  });
});
