import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AROUND } from '../../../web/src/views/shared/fit';
import { type Box, colsOf, layoutStage, rowsOf, twin } from '../../../web/src/views/shared/stage/layout';
import { arbitraryGeometry, descOf, geometryOf } from '../geometry/arbitrary-geometry';

const room = fc.record({ width: fc.integer({ min: 560, max: 1800 }), height: fc.integer({ min: 460, max: 1200 }) });
const NAMES = ['x', 'w', 'b', 'y', 'dx', 'dw', 'db', 'dy'] as const;

const apart = (a: Box, b: Box) =>
  a.left + a.width <= b.left + 1e-6 ||
  b.left + b.width <= a.left + 1e-6 ||
  a.top + a.height <= b.top + 1e-6 ||
  b.top + b.height <= a.top + 1e-6;

describe('the layout of the stage', () => {
  it('gives every tensor its own box, large enough for its cells', () => {
    fc.assert(
      fc.property(arbitraryGeometry, fc.boolean(), room, (g, bias, size) => {
        const { slots, cell, line } = layoutStage(g, bias, size);
        expect(line.height).toBeGreaterThanOrEqual(22);
        expect(line.left + line.width).toBeLessThanOrEqual(size.width + 1e-6);
        const names = NAMES.filter((name) => bias || name !== 'b');
        for (const name of names) {
          const box = slots[name];
          const side = cell[twin(name)];
          expect(box.left).toBeGreaterThanOrEqual(0);
          expect(box.left + box.width, name).toBeLessThanOrEqual(size.width + 1e-6);
          expect(box.top + box.height, name).toBeLessThanOrEqual(size.height + 1e-6);
          expect(colsOf(g, name) * side + AROUND.frame, name).toBeLessThanOrEqual(box.width + 1e-6);
          expect(rowsOf(g, name) * side + AROUND.head + AROUND.frame, name).toBeLessThanOrEqual(box.height + 1e-6);
          expect(apart(box, line), `${name}, the line`).toBe(true);
          for (const other of names)
            if (other !== name) expect(apart(box, slots[other]), `${name}, ${other}`).toBe(true);
        }
      }),
    );
  });

  it('without gradients gives x, w, b and y the whole height, in the middle, with cells that are no smaller', () => {
    fc.assert(
      fc.property(arbitraryGeometry, fc.boolean(), room, (g, bias, size) => {
        const { slots, cell, rows, height, line } = layoutStage(g, bias, size, false);
        expect(cell.x).toBeGreaterThanOrEqual(layoutStage(g, bias, size).cell.x);
        expect(height).toBe(size.height);
        const { start, size: tall } = rows.forward;
        expect(line.top).toBeGreaterThanOrEqual(start + tall);
        expect(Math.abs(start - (height - line.top - line.height)), 'above and below').toBeLessThanOrEqual(26);
        for (const name of ['x', 'w', 'y'] as const) {
          expect(slots[name].top + slots[name].height, name).toBeLessThanOrEqual(size.height + 1e-6);
          expect(rowsOf(g, name) * cell[name] + AROUND.head + AROUND.frame).toBeLessThanOrEqual(
            slots[name].height + 1e-6,
          );
        }
      }),
    );
  });

  it('puts x left, y right and the gradients below', () => {
    const { slots } = layoutStage(geometryOf(descOf({})), false, { width: 760, height: 690 });
    expect(slots.x.left + slots.x.width).toBeLessThan(slots.w.left);
    expect(slots.w.left + slots.w.width).toBeLessThan(slots.y.left);
    for (const name of ['x', 'w', 'y'] as const) {
      expect(slots[`d${name}`].left).toBe(slots[name].left);
      expect(slots[`d${name}`].top).toBeGreaterThanOrEqual(slots[name].top + slots[name].height);
    }
  });

  it('gives x, w and y the same cell size where values fit', () => {
    const { cell } = layoutStage(geometryOf(descOf({})), false, { width: 760, height: 690 });
    expect(cell.x).toBeGreaterThanOrEqual(30);
    expect(new Set([cell.x, cell.w, cell.y]).size).toBe(1);
  });

  it('limits cells to 72 px', () => {
    const { cell } = layoutStage(geometryOf(descOf({ h: 3, w: 3 })), false, { width: 1700, height: 1100 });
    expect(cell.x).toBe(72);
  });

  it('centers the tensors vertically', () => {
    const height = 1100;
    const { rows } = layoutStage(geometryOf(descOf({ h: 3, w: 3 })), false, { width: 1700, height });
    expect(rows.forward.start).toBeGreaterThan(50);
    const beneath = height - rows.backward.start - rows.backward.size;
    expect(Math.abs(rows.forward.start - beneath)).toBeLessThanOrEqual(1);
  });

  it('keeps a kernel readable beside an image', () => {
    const { cell } = layoutStage(geometryOf(descOf({ h: 1024, w: 1024 })), false, { width: 800, height: 600 });
    expect(cell.w).toBeGreaterThanOrEqual(24);
    expect(cell.x).toBeLessThan(1);
  });

  it('stacks the tensors on a phone', () => {
    const { arrangement, cell } = layoutStage(geometryOf(descOf({})), false, { width: 358, height: 600 });
    expect(arrangement).toBe('stack');
    expect(cell.x).toBeGreaterThanOrEqual(34);
  });

  it('gives the columns of a small board the width of their slices', () => {
    // 2 channels are two thumbnails of 26 px and a letter of 13; 3 filters are one, the letter, and a button of 34 px.
    const { isBoard, columns } = layoutStage(
      geometryOf(descOf({ h: 5, w: 5, c: 2, k: 3, kh: 3, kw: 3, stride_h: 1, stride_w: 1, padding_mode: 'valid' })),
      false,
      {
        width: 364,
        height: 620,
      },
    );
    expect(isBoard).toBe(true);
    expect(columns.x.size).toBeGreaterThanOrEqual(13 + 2 * 26);
    expect(columns.w.size).toBeGreaterThanOrEqual(13 + 2 * 26 + 13 + 26 + 34);
    expect(columns.y.size).toBeGreaterThanOrEqual(13 + 26 + 34);
  });
});
