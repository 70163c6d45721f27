/** A convolution and its gradients: loops in double that share no code with the project. Layouts NHWC and HWIO. */

export interface OracleProblem {
  readonly n: number;
  readonly h: number;
  readonly w: number;
  readonly c: number;
  readonly k: number;
  readonly kh: number;
  readonly kw: number;
  /** For rows and columns, like all pairs here. */
  readonly stride: readonly [number, number];
  readonly dilation: readonly [number, number];
  /** top, bottom, left, right */
  readonly padding: readonly [number, number, number, number];
  readonly groups: number;
  readonly x: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
  readonly bias: ArrayLike<number> | null;
  /** The values, or their definition from y (NHWC). */
  readonly dy: ArrayLike<number> | ((y: Float64Array) => ArrayLike<number>);
}

/** half the mean of (y - target)^2 */
export const squaredError =
  (target: (cell: number) => number = () => 0) =>
  (y: Float64Array): Float64Array =>
    y.map((value, cell) => (value - target(cell)) / y.length);

type Axes = readonly [number, number, number, number];

/** Reads a flat array as [slice][row][column][channel]; for weights, the taps are rows and columns of slice k. */
export interface Plane {
  readonly rows: number;
  readonly cols: number;
  readonly at: (row: number, col: number) => number;
}

export type TensorName = 'x' | 'w' | 'b' | 'y' | 'dy' | 'dx' | 'dw' | 'db';

export interface OracleResult {
  readonly problem: OracleProblem;
  readonly oh: number;
  readonly ow: number;
  readonly values: Readonly<Record<TensorName, ArrayLike<number>>>;
  /** One plane: of x and dx by image and channel, of y and dy by image and filter, of w and dw by channel and filter. */
  readonly plane: (name: TensorName, at?: { n?: number; c?: number; k?: number }) => Plane;
}

export function computeOracle(problem: OracleProblem): OracleResult {
  const { n, h, w, c, k, kh, kw, groups, x, weights, bias } = problem;
  const [sh, sw] = problem.stride;
  const [dh, dw_] = problem.dilation;
  const [top, bottom, left, right] = problem.padding;
  const oh = Math.floor((h + top + bottom - (dh * (kh - 1) + 1)) / sh) + 1;
  const ow = Math.floor((w + left + right - (dw_ * (kw - 1) + 1)) / sw) + 1;
  const [gc, gk] = [c / groups, k / groups];
  const xAt = (i: number, row: number, col: number, channel: number) => ((i * h + row) * w + col) * c + channel;
  const wAt = (row: number, col: number, channel: number, filter: number) =>
    ((row * kw + col) * gc + channel) * k + filter;
  const yAt = (i: number, row: number, col: number, filter: number) => ((i * oh + row) * ow + col) * k + filter;

  /** Every product of the sum, as indices in y, x and w. */
  const eachTerm = (visit: (inY: number, inX: number, inW: number) => void): void => {
    for (let i = 0; i < n; i += 1)
      for (let row = 0; row < oh; row += 1)
        for (let col = 0; col < ow; col += 1)
          for (let filter = 0; filter < k; filter += 1)
            for (let p = 0; p < kh; p += 1)
              for (let q = 0; q < kw; q += 1) {
                const [r, s] = [row * sh + p * dh - top, col * sw + q * dw_ - left];
                if (r < 0 || r >= h || s < 0 || s >= w) continue;
                for (let channel = 0; channel < gc; channel += 1) {
                  const from = Math.floor(filter / gk) * gc + channel;
                  visit(yAt(i, row, col, filter), xAt(i, r, s, from), wAt(p, q, channel, filter));
                }
              }
  };

  const y = new Float64Array(n * oh * ow * k).map((_, cell) => bias?.[cell % k] ?? 0);
  eachTerm((inY, inX, inW) => {
    y[inY] = (y[inY] ?? 0) + (x[inX] ?? 0) * (weights[inW] ?? 0);
  });
  const dy = typeof problem.dy === 'function' ? problem.dy(y) : problem.dy;
  const [dx, dw, db] = [new Float64Array(x.length), new Float64Array(weights.length), new Float64Array(k)];
  eachTerm((inY, inX, inW) => {
    dx[inX] = (dx[inX] ?? 0) + (dy[inY] ?? 0) * (weights[inW] ?? 0);
    dw[inW] = (dw[inW] ?? 0) + (dy[inY] ?? 0) * (x[inX] ?? 0);
  });
  for (let cell = 0; cell < dy.length; cell += 1) db[cell % k] = (db[cell % k] ?? 0) + (dy[cell] ?? 0);

  const values = { x, w: weights, b: bias ?? [], y, dy, dx, dw, db };
  const shapes: Readonly<Record<TensorName, Axes>> = {
    x: [n, h, w, c],
    dx: [n, h, w, c],
    y: [n, oh, ow, k],
    dy: [n, oh, ow, k],
    w: [1, kh, kw, gc * k],
    dw: [1, kh, kw, gc * k],
    b: [1, 1, 1, k],
    db: [1, 1, 1, k],
  };
  const plane: OracleResult['plane'] = (name, at = {}) => {
    const [, rows, cols, channels] = shapes[name];
    // A bias has one row, with a column per filter.
    if (name === 'b' || name === 'db') return { rows: 1, cols: k, at: (_row, col) => values[name][col] ?? Number.NaN };
    const filter = at.k ?? 0;
    const channel = name.endsWith('w') ? (at.c ?? 0) * k + filter : name.endsWith('y') ? filter : (at.c ?? 0);
    const slice = name.endsWith('w') ? 0 : (at.n ?? 0);
    return {
      rows,
      cols,
      at: (row, col) => values[name][((slice * rows + row) * cols + col) * channels + channel] ?? Number.NaN,
    };
  };
  return { problem, oh, ow, values, plane };
}
