import { describe, expect, it } from 'vitest';
import { cellAfterKey, type GridData, spotKind, valueAt } from '../../../web/src/ui/grid/grid-data';
import { areaPath } from '../../../web/src/ui/grid/marks';
import { canvasStrips } from '../../../web/src/ui/grid/pixels';
import { fitViewport, isPart, panBy, reveal, spotAt, zoomAt } from '../../../web/src/ui/grid/viewport';
import { contains } from '../support/area';

/** Column-major slice of 2 x 3 in a larger buffer, with a ring of 1 at the top and 2 at the left. */
const DATA: GridData = {
  rows: 2,
  cols: 3,
  values: Float32Array.from([99, 1, 4, 2, 5, 3, 6, 99]),
  offset: 1,
  rowStep: 1,
  colStep: 2,
  ring: { top: 1, bottom: 0, left: 2, right: 0 },
};

describe('a slice of a tensor', () => {
  it('reads cells by their strides, and zero in the ring', () => {
    expect([0, 1].map((row) => [0, 1, 2].map((col) => valueAt(DATA, { row, col })))).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    expect(valueAt(DATA, { row: -1, col: 0 })).toBe(0);
    expect(spotKind(DATA, { row: 0, col: -2 })).toBe('padding');
  });

  it('moves by the keys of an ARIA grid, ring included, within its bounds', () => {
    const from = { row: 0, col: 0 };
    expect(cellAfterKey(DATA, from, 'ArrowUp', false)).toEqual({ row: -1, col: 0 });
    expect(cellAfterKey(DATA, { row: -1, col: 0 }, 'ArrowUp', false)).toEqual({ row: -1, col: 0 });
    expect(cellAfterKey(DATA, from, 'Home', false)).toEqual({ row: 0, col: -2 });
    expect(cellAfterKey(DATA, from, 'End', true)).toEqual({ row: 1, col: 2 });
    expect(cellAfterKey(DATA, from, 'x', false)).toBeNull();
  });
});

describe('marks', () => {
  it('outline adjacent cells together and separate cells one by one', () => {
    const block = { row: 1, col: 2, rows: 2, cols: 3, rowStep: 1, colStep: 1 };
    expect(areaPath(block, 10, 0, 0)).toBe('M20 10h30v20H20z');
    const dilated = { ...block, rows: 2, cols: 1, rowStep: 2 };
    expect(areaPath(dilated, 10, 0, 0)).toBe('M20 10h10v10H20zM20 30h10v10H20z');
    expect(contains(dilated, 3, 2)).toBe(true);
    expect(contains(dilated, 2, 2)).toBe(false);
  });

  it('outline only the extent of very many cells', () => {
    const area = { row: 0, col: 0, rows: 500, cols: 500, rowStep: 2, colStep: 2 };
    expect(areaPath(area, 1, 0, 0).length).toBeLessThan(100);
  });
});

describe('the viewport of a map', () => {
  const big: GridData = { ...DATA, rows: 200, cols: 100, ring: { top: 0, bottom: 0, left: 0, right: 0 } };
  const fitted = fitViewport(big, 300, 400);

  it('shows the whole map at first', () => {
    expect(fitted).toEqual({ row: 0, col: 0, cell: 2, width: 200, height: 400, rows: 200, cols: 100 });
  });

  it('zooms about the pointer and stays inside', () => {
    const before = spotAt(big, fitted, 100, 200);
    const near = zoomAt(fitted, fitted, 4, 100, 200);
    expect(spotAt(big, near, 100, 200)).toEqual(before);
    const corner = panBy(near, fitted, 1e6, -1e6);
    expect(corner.col).toBe(0);
    expect(corner.row).toBeCloseTo(200 - 400 / near.cell);
    expect(zoomAt(near, fitted, 0.001, 0, 0)).toEqual(fitted);
  });

  it('follows the keyboard', () => {
    const near = zoomAt(fitted, fitted, 10, 0, 0);
    const moved = reveal(near, fitted, { row: 150, col: 50 });
    expect(spotAt(big, moved, near.width - 1, near.height - 1)).toEqual({ row: 150, col: 50 });
  });

  it('is finite without any room, as before the first layout', () => {
    const less = fitViewport(big, -16, -2);
    expect([less.width, less.height]).toEqual([0, 0]);
    const none = fitViewport(big, 0, 400);
    const revealed = reveal(none, none, { row: 150, col: 50 });
    const moved = [none, revealed, panBy(revealed, none, 5, 5), zoomAt(revealed, none, 2, 0, 0)];
    for (const view of moved) expect(Object.values(view).every(Number.isFinite)).toBe(true);
  });

  it('shows a part of a map that is too long for its smallest cells, and pans to its end', () => {
    const long = fitViewport({ ...big, rows: 50_176, cols: 27 }, 300, 400, 10);
    expect(long).toMatchObject({ cell: 10, width: 270, height: 400 });
    expect(isPart(long, long)).toBe(true);
    expect(isPart(fitted, fitted)).toBe(false);
    expect(panBy(long, long, 0, -1e9)).toMatchObject({ row: 50_176 - 40, col: 0 });
  });
});

describe('the strips of a long map', () => {
  it('cover every cell once, at distinct pixels', () => {
    for (const [rows, cols] of [
      [23, 3],
      [3, 23],
      [5, 5],
      [10, 10],
    ] as const) {
      const cells = new Set<number>();
      const pixels = new Set<string>();
      for (const strip of canvasStrips(rows, cols, 10)) {
        for (let row = 0; row < strip.rows; row += 1) {
          for (let col = 0; col < strip.cols; col += 1) {
            cells.add((strip.row + row) * cols + strip.col + col);
            pixels.add(`${strip.x + col},${strip.y + row}`);
          }
        }
      }
      expect([cells.size, pixels.size]).toEqual([rows * cols, rows * cols]);
    }
  });
});
