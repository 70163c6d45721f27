import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Geometry, TensorName } from '../../../web/src/protocol/problem';
import { type Edge, graphOf } from '../../../web/src/views/overview/parts';
import { AROUND } from '../../../web/src/views/shared/fit';
import { colsOf, layoutStage, rowsOf, type StageLayout, twin } from '../../../web/src/views/shared/stage/layout';
import { arbitraryGeometry } from '../geometry/arbitrary-geometry';

const ALL: readonly TensorName[] = ['x', 'w', 'b', 'y', 'dx', 'dw', 'db', 'dy'];

const stageOf = fc.record({
  g: arbitraryGeometry,
  bias: fc.boolean(),
  dyOfY: fc.boolean(),
  room: fc.record({ width: fc.integer({ min: 640, max: 1100 }), height: fc.integer({ min: 500, max: 900 }) }),
});

/** The box of the cells of a tensor, without frame and title. */
function cellsOf(g: Geometry, { slots, cell }: StageLayout, tensor: TensorName) {
  const size = cell[twin(tensor)];
  const left = slots[tensor].left + AROUND.frame / 2 + (tensor === 'dx' ? g.padding.left * size : 0);
  const top = slots[tensor].top + AROUND.head + AROUND.frame / 2;
  const cols = tensor === 'dx' ? g.w : colsOf(g, tensor);
  return { left, top, right: left + cols * size, bottom: top + rowsOf(g, tensor) * size };
}

/** The straight segments of an edge, as rectangles without area. */
const piecesOf = ({ points }: Edge) =>
  points.slice(1).flatMap((end, i) => {
    const start = points[i];
    if (!start) return [];
    return [
      {
        left: Math.min(start.x, end.x),
        right: Math.max(start.x, end.x),
        top: Math.min(start.y, end.y),
        bottom: Math.max(start.y, end.y),
      },
    ];
  });

test('the edges are the dependencies of the backward pass; y to dy only with a loss', () => {
  fc.assert(
    fc.property(stageOf, ({ g, bias, dyOfY, room }) => {
      const { edges } = graphOf(g, { bias, dyOfY }, layoutStage(g, bias, room));
      const read = edges.map(({ from, into }) => `${from} -> ${into}`).sort();
      const always = ['dy -> db', 'dy -> dw', 'dy -> dx', 'w -> dx', 'x -> dw'];
      expect(read).toEqual(dyOfY ? [...always, 'y -> dy'] : always);
    }),
  );
});

test('edges are straight, avoid cells, and end at the frame of their target', () => {
  fc.assert(
    fc.property(stageOf, ({ g, bias, dyOfY, room }) => {
      const layout = layoutStage(g, bias, room);
      const there = ALL.filter((tensor) => bias || tensor !== 'b');
      for (const edge of graphOf(g, { bias, dyOfY }, layout).edges) {
        const name = `${edge.from} -> ${edge.into}`;
        for (const piece of piecesOf(edge)) {
          expect(Math.min(piece.right - piece.left, piece.bottom - piece.top), `${name} is not straight`).toBeCloseTo(
            0,
          );
          for (const tensor of there) {
            const cells = cellsOf(g, layout, tensor);
            const apart =
              piece.right <= cells.left ||
              piece.left >= cells.right ||
              piece.bottom <= cells.top ||
              piece.top >= cells.bottom;
            expect(apart, `${name} crosses ${tensor}`).toBe(true);
          }
        }
        const tip = edge.points.at(-1) ?? { x: Number.NaN, y: Number.NaN };
        if (edge.from === 'w') continue;
        const cells = cellsOf(g, layout, edge.into);
        const beside =
          tip.y > cells.top &&
          tip.y < cells.bottom &&
          Math.min(Math.abs(tip.x - cells.left), Math.abs(tip.x - cells.right)) < 12;
        const above = edge.into === 'dy' && tip.y < layout.slots.dy.top && tip.y > layout.slots.dy.top - 12;
        expect(beside || above, `${name} does not end at a frame`).toBe(true);
      }
    }),
  );
});
