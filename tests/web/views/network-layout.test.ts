import { expect, test } from 'vitest';
import { gridOf } from '../../../web/src/geometry/grid';
import type { LayerContent } from '../../../web/src/protocol/messages';
import { fitNet, GRADIENTS, type Lead, stackNet, VALUES, WEIGHTS } from '../../../web/src/views/network/fit-net';
import { makeDesc } from '../contract/requests';
import { geometryOf } from '../geometry/arbitrary-geometry';
import { DEEP, MAX, netOf, tensor } from './nets';

/** In CSS pixels: the cells of a tensor, and the corner and size of its panel. */
const boxOf = (lead: Lead, at: number, row: number, room = { width: 680, height: 560 }) => {
  const box = fitNet(DEEP, room, lead).boxes[at]?.[row];
  if (!box) throw new Error('there is no such panel');
  return box;
};

test('the tensors fit the room; where all can show their figures, none has more room', () => {
  const roomy = fitNet(MAX, { width: 700, height: 500 }, { at: 0, row: VALUES });
  // All are small: the largest cells that a panel has.
  expect(roomy.boxes.map(([x]) => x?.cell)).toEqual([72, 72, 72]);
  expect(roomy).toEqual(fitNet(MAX, { width: 700, height: 500 }, { at: 2, row: GRADIENTS }));
  expect(stackNet(MAX, 358).boxes.map(([x]) => x?.cell)).toEqual([44, 44, 44]);
});

test('weights have room for two digits and a k beside tensors with figures', () => {
  const [w, dw] = [tensor(3, Array(9).fill(1)), tensor(3, Array(9).fill(6124))];
  const conv = geometryOf(makeDesc({ h: 7, w: 7, kh: 3, kw: 3 }));
  const parts = { w: { name: 'w1', grid: gridOf(conv, 'w'), value: w, gradient: dw } };
  const net = netOf(
    [['conv', conv, { parts } as Partial<LayerContent>]],
    [tensor(7, []), tensor(5, [])],
    [tensor(7, []), tensor(5, [])],
  );
  const { boxes } = fitNet(net, { width: 560, height: 620 }, { at: 0, row: VALUES });
  // "6.1k" is 25 px wide in the least font, and a cell has 3 around it.
  expect(boxes[1]?.[WEIGHTS]?.cell).toBeGreaterThanOrEqual(28);
  expect(boxes[0]?.[VALUES]?.cell).toBeGreaterThanOrEqual(24);
});

test('a panel with the room shows its figures, and the others do not move under the pointer', () => {
  // The largest cells of the last tensor do not fill its room.
  const leads = [0, 1, 2, 3].flatMap((at) => [VALUES, GRADIENTS].map((row): Lead => ({ at, row })));
  for (const lead of leads) {
    const own = boxOf(lead, lead.at, lead.row);
    expect(own.cell, JSON.stringify(lead)).toBeGreaterThanOrEqual(24);
    expect(fitNet(DEEP, { width: 680, height: 560 }, lead).height).toBe(560);
    for (const { at, row } of leads) {
      if (at === lead.at && row === lead.row) continue;
      // Where a panel was when another one had the room, it is still when it has the room itself.
      const [before, after] = [boxOf(lead, at, row), boxOf({ at, row }, at, row)];
      const { row: rows = 0, col: cols = 0 } = DEEP.tensors[at]?.grid.size ?? {};
      const [right, bottom] = [before.left + cols * before.cell, before.top + rows * before.cell];
      expect(after.left).toBeLessThanOrEqual(before.left);
      expect(after.top).toBeLessThanOrEqual(before.top);
      // Cells are rounded down to whole pixels.
      expect(after.left + cols * (after.cell + 1)).toBeGreaterThanOrEqual(right);
      expect(after.top + rows * (after.cell + 1)).toBeGreaterThanOrEqual(bottom);
      expect(right + 8).toBeLessThanOrEqual(680);
    }
  }
});
