import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GAP, layoutBoard } from '../../../web/src/views/kit/board-layout';
import { arbitraryGeometry, descOf, geometryOf } from '../geometry/arbitrary-geometry';

const width = fc.integer({ min: 300, max: 1800 });
const tallest = fc.integer({ min: 200, max: 600 });

describe('the layout of the board', () => {
  it('never needs more width than there is', () => {
    fc.assert(
      fc.property(arbitraryGeometry, width, tallest, (g, room, tall) => {
        const { arrangement, columns, cell } = layoutBoard(g, room, tall);
        const [x, w, y] = columns;
        const needed = arrangement === 'row' ? x + w + y + 2 * GAP : Math.max(x, w, y);
        expect(needed).toBeLessThanOrEqual(room + 1e-6);
        expect((g.w + g.padding.left + g.padding.right) * cell.x).toBeLessThanOrEqual(x + 1e-6);
        expect(g.ow * cell.y).toBeLessThanOrEqual(y + 1e-6);
        expect(g.kw * cell.w).toBeLessThanOrEqual(w + 1e-6);
      }),
    );
  });

  it('gives x, w and y cells of one size where figures fit, so that a window of x is as large as w', () => {
    const { cell } = layoutBoard(geometryOf(descOf({})), 800, 400);
    expect(cell.x).toBeGreaterThanOrEqual(34);
    expect(new Set([cell.x, cell.w, cell.y]).size).toBe(1);
  });

  it('keeps a kernel readable beside an image', () => {
    const { cell } = layoutBoard(geometryOf(descOf({ h: 1024, w: 1024 })), 800, 400);
    expect(cell.w).toBeGreaterThanOrEqual(24);
    expect(cell.x).toBeLessThan(1);
  });

  it('stacks the tensors on a phone', () => {
    const { arrangement, cell } = layoutBoard(geometryOf(descOf({})), 358, 400);
    expect(arrangement).toBe('stack');
    expect(cell.x).toBeGreaterThanOrEqual(34);
  });
});
