import { gridOf } from '../../../web/src/geometry/grid';
import type { LayerKind } from '../../../web/src/layers/list';
import type { LayerContent } from '../../../web/src/protocol/messages';
import type { Geometry, Tensor } from '../../../web/src/protocol/problem';
import type { Net } from '../../../web/src/views/network/net';
import { makeDesc } from '../contract/requests';
import { geometryOf } from '../geometry/arbitrary-geometry';
import { alone } from '../support/alone';

// Networks as the view Network draws them, with the results that the library would give.

export const NO_STATS = { min: 0, max: 0, max_abs: 0, not_finite: 0 };
export const tensor = (h: number, values: readonly number[]): Tensor => ({
  shape: [1, h, h, 1],
  data: Float32Array.from(values),
  stats: NO_STATS,
});

const windowOf = (h: number, size: number) =>
  geometryOf(makeDesc({ h, w: h, kh: size, kw: size, stride_h: size, stride_w: size }));

export function netOf(
  kinds: readonly (readonly [LayerKind, Geometry, Partial<LayerContent>?])[],
  values: readonly Tensor[],
  gradients: readonly Tensor[],
): Net {
  const layers = kinds.map(([kind, geometry, result], i) => ({
    ...alone(geometry),
    ...{ index: i, number: i + 1, kind, title: kind, isOpen: i === 0, parts: {} },
    ...result,
  }));
  const last = kinds.at(-1)?.[1] as Geometry;
  const grids = [...kinds.map(([, g]) => gridOf(g, 'x')), gridOf(last, 'y')];
  return {
    layers,
    loss: null,
    tensors: grids.map((grid, i) => ({
      name: i === 0 ? 'x' : `y${i}`,
      grid,
      value: values[i] as Tensor,
      gradient: gradients[i] as Tensor,
    })),
  };
}

/** x 2 × 2 -> ReLU -> pooling of 2 × 2. x = [-1, 3, 0, 2]; dy = 5. */
export const RELU = geometryOf(makeDesc({ h: 2, w: 2, kh: 1, kw: 1 }));
export const X = tensor(2, [-1, 3, 0, 2]);
const Y1 = tensor(2, [0, 3, 0, 2]);

export const MAX = netOf(
  [
    ['relu', RELU],
    ['max_pool', windowOf(2, 2), { winners: Int32Array.of(1) }],
  ],
  [X, Y1, tensor(1, [3])],
  [tensor(2, [0, 5, 0, 0]), tensor(2, [0, 5, 0, 0]), tensor(1, [5])],
);
export const MEAN = netOf(
  [
    ['relu', RELU],
    ['average_pool', windowOf(2, 2), { averages: { sums: Float32Array.of(5), counts: Int32Array.of(4) } }],
  ],
  [X, Y1, tensor(1, [1.25])],
  [tensor(2, [0, 1.25, 0, 1.25]), tensor(2, [1.25, 1.25, 1.25, 1.25]), tensor(1, [5])],
);

/** x 3 × 3 -> conv 2 × 2 with a bias -> y 2 × 2. */
export const CONV = ((): Net => {
  const g = geometryOf(makeDesc({ h: 3, w: 3, kh: 2, kw: 2 }));
  const y = tensor(2, [-3, -3, -3, -3]);
  const net = netOf(
    [['conv', g]],
    [tensor(3, [1, 2, 3, 4, 5, 6, 7, 8, 9]), y],
    [tensor(3, [1, 0, 0, 0, 0, 0, 0, 0, 0]), y],
  );
  const [layer] = net.layers;
  const parts = {
    w: { name: 'w', grid: gridOf(g, 'w'), value: tensor(2, [1, 0, 0, -1]), gradient: tensor(2, [12, 16, 24, 28]) },
    b: { name: 'b', grid: gridOf(g, 'b'), value: tensor(1, [1]), gradient: tensor(1, [4]) },
  };
  return { ...net, layers: layer ? [{ ...layer, parts }] : [] };
})();

/** x 12 × 12 -> conv 3 × 3 -> ReLU -> pooling of 2 × 2 -> conv 3 × 3; all values are 1, all gradients 0.125. */
export const DEEP = ((): Net => {
  const conv = (h: number) => geometryOf(makeDesc({ h, w: h, kh: 3, kw: 3 }));
  const sizes = [12, 10, 10, 5, 3];
  const filled = (by: number) =>
    sizes.map((h) =>
      tensor(
        h,
        Array.from({ length: h * h }, () => by),
      ),
    );
  // Of each window the first cell.
  const winners = Int32Array.from({ length: 25 }, (_, i) => Math.floor(i / 5) * 20 + (i % 5) * 2);
  return netOf(
    [
      ['conv', conv(12)],
      ['relu', geometryOf(makeDesc({ h: 10, w: 10, kh: 1, kw: 1 }))],
      ['max_pool', windowOf(10, 2), { winners }],
      ['conv', conv(5)],
    ],
    filled(1),
    filled(0.125),
  );
})();

export const value = (at: number, index: number) => ({ at, side: 'value', index }) as const;
export const gradient = (at: number, index: number) => ({ at, side: 'gradient', index }) as const;
