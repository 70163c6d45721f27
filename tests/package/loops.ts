// The convolution and its gradients from the definition, NCHW, in double.

export interface Problem {
  readonly n: number;
  readonly c: number;
  readonly h: number;
  readonly w: number;
  readonly k: number;
  readonly kh: number;
  readonly kw: number;
  readonly stride: readonly [number, number];
  readonly dilation: readonly [number, number];
  readonly groups: number;
  readonly top: number;
  readonly left: number;
  readonly oh: number;
  readonly ow: number;
}

/** Calls `visit` with the row-major indices in x, w and y of every product. */
function everyProduct(p: Problem, visit: (x: number, w: number, y: number) => void): void {
  const [groupC, groupK] = [p.c / p.groups, p.k / p.groups];
  for (let n = 0; n < p.n; n += 1)
    for (let k = 0; k < p.k; k += 1)
      for (let oy = 0; oy < p.oh; oy += 1)
        for (let ox = 0; ox < p.ow; ox += 1)
          for (let c = 0; c < groupC; c += 1)
            for (let i = 0; i < p.kh; i += 1)
              for (let j = 0; j < p.kw; j += 1) {
                const iy = oy * p.stride[0] + i * p.dilation[0] - p.top;
                const ix = ox * p.stride[1] + j * p.dilation[1] - p.left;
                if (iy < 0 || iy >= p.h || ix < 0 || ix >= p.w) continue;
                const channel = Math.floor(k / groupK) * groupC + c;
                const x = ((n * p.c + channel) * p.h + iy) * p.w + ix;
                visit(x, ((k * groupC + c) * p.kh + i) * p.kw + j, ((n * p.k + k) * p.oh + oy) * p.ow + ox);
              }
}

const at = (values: ArrayLike<number>, index: number): number => values[index] ?? Number.NaN;
const add = (values: number[], index: number, value: number): void => {
  values[index] = at(values, index) + value;
};

export function forward(p: Problem, x: ArrayLike<number>, w: ArrayLike<number>, b: ArrayLike<number>): number[] {
  const plane = p.oh * p.ow;
  const y = Array.from({ length: p.n * p.k * plane }, (_, i) => at(b, Math.floor(i / plane) % p.k));
  everyProduct(p, (ix, iw, iy) => add(y, iy, at(x, ix) * at(w, iw)));
  return y;
}

export function backward(p: Problem, x: ArrayLike<number>, w: ArrayLike<number>, dy: ArrayLike<number>) {
  const dx = Array.from({ length: x.length }, () => 0);
  const dw = Array.from({ length: w.length }, () => 0);
  const db = Array.from({ length: p.k }, () => 0);
  everyProduct(p, (ix, iw, iy) => {
    add(dx, ix, at(w, iw) * at(dy, iy));
    add(dw, iw, at(x, ix) * at(dy, iy));
  });
  for (let i = 0; i < dy.length; i += 1) add(db, Math.floor(i / (p.oh * p.ow)) % p.k, at(dy, i));
  return { dx, dw, db };
}
