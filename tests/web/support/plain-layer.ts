/** A convolution by plain loops in double, and its arrays as in a file: independent of the library. NCHW and OIHW. */

export interface PlainLayer {
  readonly n?: number;
  readonly h: number;
  readonly w: number;
  readonly c: number;
  readonly k: number;
  readonly kernel: number;
  readonly stride?: number;
  readonly padding?: number;
  readonly groups?: number;
  readonly seed?: number;
  /** Values of each tensor; by default random ones. */
  readonly make?: (name: string, count: number) => Float32Array;
}

export interface PlainArray {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** Random multiples of 1/64 in [-2, 2): sums of a few hundred products are exact in float32. */
function sixtyFourths(seed: number): (name: string, count: number) => Float32Array {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return ((state >>> 8) % 256) / 64 - 2;
  };
  return (_, count) => Float32Array.from({ length: count }, next);
}

const add = (to: Float64Array, at: number, value: number): void => {
  to[at] = (to[at] ?? 0) + value;
};

/** x, w, b, dy and all results. */
export function plainLayer(
  layer: PlainLayer,
): Readonly<Record<'x' | 'w' | 'b' | 'y' | 'dy' | 'dx' | 'dw' | 'db', PlainArray>> {
  const { n = 1, h, w: width, c, k, kernel, stride = 1, padding = 0, groups = 1, seed = 1 } = layer;
  const make = layer.make ?? sixtyFourths(seed);
  const [oh, ow] = [h, width].map((size) => Math.floor((size + 2 * padding - kernel) / stride) + 1) as [number, number];
  const [inputs, filters] = [c / groups, k / groups];
  const array = (name: string, shape: readonly number[], values?: Float64Array): PlainArray => {
    const count = shape.reduce((product, size) => product * size, 1);
    return { name, shape, values: values ? Float32Array.from(values) : make(name, count) };
  };
  const x = array('x', [n, c, h, width]);
  const w = array('w', [k, inputs, kernel, kernel]);
  const b = array('b', [k]);
  const dy = array('dy', [n, k, oh, ow]);
  const y = new Float64Array(n * k * oh * ow);
  const dx = new Float64Array(x.values.length);
  const dw = new Float64Array(w.values.length);
  const db = new Float64Array(k);
  for (let image = 0; image < n; image += 1)
    for (let filter = 0; filter < k; filter += 1)
      for (let i = 0; i < oh; i += 1)
        for (let j = 0; j < ow; j += 1) {
          const at = ((image * k + filter) * oh + i) * ow + j;
          add(y, at, b.values[filter] ?? 0);
          add(db, filter, dy.values[at] ?? 0);
          for (let input = 0; input < inputs; input += 1)
            for (let p = 0; p < kernel; p += 1)
              for (let q = 0; q < kernel; q += 1) {
                const [row, col] = [i * stride - padding + p, j * stride - padding + q];
                if (row < 0 || row >= h || col < 0 || col >= width) continue;
                const channel = Math.floor(filter / filters) * inputs + input;
                const from = ((image * c + channel) * h + row) * width + col;
                const tap = ((filter * inputs + input) * kernel + p) * kernel + q;
                const [value, weight, upstream] = [x.values[from], w.values[tap], dy.values[at]] as [
                  number,
                  number,
                  number,
                ];
                add(y, at, value * weight);
                add(dx, from, weight * upstream);
                add(dw, tap, value * upstream);
              }
        }
  const results = { y: array('y', dy.shape, y), dx: array('dx', x.shape, dx), dw: array('dw', w.shape, dw) };
  return { x, w, b, dy, ...results, db: array('db', [k], db) };
}

export const renamed = (array: PlainArray, name: string): PlainArray => ({ ...array, name });

export const changed = (array: PlainArray, change: (value: number, index: number) => number): PlainArray => ({
  ...array,
  values: array.values.map(change),
});

/** In the order of the axes of another framework: "NHWC", "HWIO". */
export function transposed({ name, shape, values }: PlainArray, from: string, to: string): PlainArray {
  const sizes = [...to].map((letter) => shape[from.indexOf(letter)] ?? 1);
  const strides = [...from].map((_, axis) => shape.slice(axis + 1).reduce((product, size) => product * size, 1));
  const out = values.map((_, index) => {
    let rest = index;
    let at = 0;
    for (let axis = to.length - 1; axis >= 0; axis -= 1) {
      const size = sizes[axis] ?? 1;
      at += (rest % size) * (strides[from.indexOf(to[axis] ?? '')] ?? 0);
      rest = Math.floor(rest / size);
    }
    return values[at] ?? 0;
  });
  return { name, shape: sizes, values: out };
}
