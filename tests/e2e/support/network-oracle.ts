import { computeOracle, type OracleProblem, type OracleResult, type Plane, squaredError } from './oracle';

/** A network of one image and channel, and its gradients: plain loops in double. */

export type OracleLayer =
  | { readonly kind: 'relu' }
  | { readonly kind: 'max_pool' | 'average_pool'; readonly size: number; readonly stride: number }
  | ({ readonly kind: 'conv' } & Windows)
  | ({ readonly kind: 'conv_transpose'; readonly rows: number; readonly cols: number } & Windows);

type Windows = Pick<OracleProblem, 'kh' | 'kw' | 'stride' | 'padding' | 'dilation' | 'weights' | 'bias'>;

export interface NetworkOracle {
  /** Planes by their names in the view Network: x, y1, y2, …, and their gradients. */
  readonly planes: ReadonlyMap<string, Plane>;
  /** Each convolution as a problem of one layer, by the index of the layer. */
  readonly layers: ReadonlyMap<number, OracleResult>;
  /** Half the mean square of the output. */
  readonly loss: number;
}

interface Sized {
  readonly rows: number;
  readonly cols: number;
  readonly data: Float64Array;
}

const planeOf = ({ rows, cols, data }: Sized): Plane => ({
  ...{ rows, cols },
  at: (row, col) => data[row * cols + col] ?? Number.NaN,
});

/** `dy`: at the end, from the output. */
export function computeNetwork(
  x: Sized,
  layers: readonly OracleLayer[],
  dy: (y: Float64Array) => ArrayLike<number> = squaredError(),
): NetworkOracle {
  const values: Sized[] = [x];
  for (const layer of layers) values.push(forward(layer, values.at(-1) ?? x));
  const end = values.at(-1) ?? x;
  const gradients: Sized[] = [{ ...end, data: Float64Array.from(dy(end.data)) }];
  for (const [i, layer] of [...layers.entries()].reverse())
    gradients.unshift(backward(layer, values[i] ?? x, gradients[0] ?? end));
  const planes = new Map<string, Plane>();
  for (const [i, value] of values.entries()) {
    const name = i === 0 ? 'x' : `y${i}`;
    planes.set(name, planeOf(value));
    planes.set(`d${name}`, planeOf(gradients[i] ?? value));
  }
  const convolutions = layers.flatMap((layer, i) =>
    layer.kind === 'conv' ? [[i, convOf(layer, values[i] ?? x, gradients[i + 1]?.data ?? [])] as const] : [],
  );
  const loss = end.data.reduce((sum, value) => sum + value * value, 0) / (2 * end.data.length);
  return { planes, layers: new Map(convolutions), loss };
}

const convOf = (
  { kind: _, ...layer }: OracleLayer & { readonly kind: 'conv' },
  { rows, cols, data }: Sized,
  dy: OracleProblem['dy'],
): OracleResult =>
  computeOracle({
    ...layer,
    ...{ n: 1, h: rows, w: cols, c: 1, k: 1, groups: 1, x: data, dy },
  });

/** The cells of each window, as flat indices. */
function windowsOf(size: number, stride: number, { rows, cols }: Sized): readonly (readonly number[])[] {
  const [oh, ow] = [rows, cols].map((cells) => Math.floor((cells - size) / stride) + 1) as [number, number];
  return Array.from({ length: oh * ow }, (_, i) =>
    Array.from({ length: size * size }, (_, tap) => {
      const row = Math.floor(i / ow) * stride + Math.floor(tap / size);
      return row * cols + (i % ow) * stride + (tap % size);
    }),
  );
}

type Transposed = OracleLayer & { readonly kind: 'conv_transpose' };

/** Calls visit(cell of x, cell of y, weight) for each product. `x`: the sizes of x. */
function eachStamp(layer: Transposed, x: Sized, visit: (x: number, y: number, weight: number) => void): void {
  const { kh, kw, rows, cols, stride, dilation, padding, weights } = layer;
  for (let cell = 0; cell < x.rows * x.cols; cell += 1) {
    for (let tap = 0; tap < kh * kw; tap += 1) {
      const row = Math.floor(cell / x.cols) * stride[0] + Math.floor(tap / kw) * dilation[0] - padding[0];
      const col = (cell % x.cols) * stride[1] + (tap % kw) * dilation[1] - padding[2];
      if (row >= 0 && row < rows && col >= 0 && col < cols) visit(cell, row * cols + col, weights[tap] ?? 0);
    }
  }
}

/** The first of the largest cells. */
const winnerOf = (window: readonly number[], data: Float64Array): number =>
  window.reduce((best, cell) => ((data[cell] ?? 0) > (data[best] ?? 0) ? cell : best));

function forward(layer: OracleLayer, x: Sized): Sized {
  if (layer.kind === 'relu') return { ...x, data: x.data.map((value) => Math.max(0, value)) };
  if (layer.kind === 'conv') {
    const { oh, ow, values } = convOf(layer, x, () => []);
    return { rows: oh, cols: ow, data: Float64Array.from(values.y) };
  }
  if (layer.kind === 'conv_transpose') {
    const data = new Float64Array(layer.rows * layer.cols).fill(layer.bias?.[0] ?? 0);
    eachStamp(layer, x, (from, to, weight) => {
      data[to] = (data[to] ?? 0) + (x.data[from] ?? 0) * weight;
    });
    return { rows: layer.rows, cols: layer.cols, data };
  }
  const { size, stride, kind } = layer;
  const data = windowsOf(size, stride, x).map((window) =>
    kind === 'max_pool'
      ? (x.data[winnerOf(window, x.data)] ?? 0)
      : window.reduce((sum, cell) => sum + (x.data[cell] ?? 0), 0) / window.length,
  );
  const rows = Math.floor((x.rows - size) / stride) + 1;
  return { rows, cols: data.length / rows, data: Float64Array.from(data) };
}

function backward(layer: OracleLayer, x: Sized, dy: Sized): Sized {
  if (layer.kind === 'relu') {
    return { ...x, data: x.data.map((value, i) => (value > 0 ? (dy.data[i] ?? 0) : 0)) };
  }
  if (layer.kind === 'conv') return { ...x, data: Float64Array.from(convOf(layer, x, dy.data).values.dx) };
  const data = new Float64Array(x.data.length);
  if (layer.kind === 'conv_transpose') {
    eachStamp(layer, x, (to, from, weight) => {
      data[to] = (data[to] ?? 0) + (dy.data[from] ?? 0) * weight;
    });
    return { ...x, data };
  }
  for (const [i, window] of windowsOf(layer.size, layer.stride, x).entries()) {
    const to = layer.kind === 'max_pool' ? [winnerOf(window, x.data)] : window;
    for (const cell of to) data[cell] = (data[cell] ?? 0) + (dy.data[i] ?? 0) / to.length;
  }
  return { ...x, data };
}
