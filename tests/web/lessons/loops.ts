import type { ComputeResult } from '../../../web/src/protocol/messages';
import type { Tensor } from '../../../web/src/protocol/problem';
import { resolvePadding, yShape } from '../../../web/src/protocol/shapes';
import { resultOf } from '../../../web/src/state/exchange';
import { type Problem, shownIndex } from '../../../web/src/state/problem';
import { networkOf } from '../../e2e/support/frames/settled';
import { partsOf } from '../support/problems';

/** All passes as plain loops in double precision: the expected values of the lessons. */
export interface Passes {
  /** Row and column, then channel or filter, then image; in w and dw row, column, channel, filter; in b and db the filter. */
  readonly at: (tensor: string, place: readonly number[]) => number;
  /** Rows and columns. */
  readonly size: (tensor: string) => readonly [number, number];
  /** Number of windows that read a cell of x. */
  readonly readers: (row: number, col: number) => number;
  readonly images: number;
  readonly loss: number | null;
  /** The sum of y · dy. */
  readonly linear: number;
}

class Array4 {
  readonly data: Float64Array;
  constructor(
    readonly sizes: readonly [number, number, number, number],
    from?: ArrayLike<number>,
  ) {
    this.data = new Float64Array(sizes[0] * sizes[1] * sizes[2] * sizes[3]);
    if (from) this.data.set(from);
  }
  index(a: number, b: number, c: number, d: number): number {
    const [, s1, s2, s3] = this.sizes;
    const inside = [a, b, c, d].every((i, axis) => i >= 0 && i < (this.sizes[axis] ?? 0));
    if (!inside) throw new Error(`[${a},${b},${c},${d}] is outside of ${this.sizes}`);
    return ((a * s1 + b) * s2 + c) * s3 + d;
  }
  get(a: number, b: number, c: number, d: number): number {
    return this.data[this.index(a, b, c, d)] ?? Number.NaN;
  }
  add(a: number, b: number, c: number, d: number, value: number): void {
    const i = this.index(a, b, c, d);
    this.data[i] = (this.data[i] ?? 0) + value;
  }
}

/** x, y1, dx, dy1 and so on are the tensors of the whole network; w and dw are those of a layer, by default the first one with weights. */
function passesOfNetwork(problem: Problem, layer: number | null): Passes {
  const network = networkOf(problem);
  const own = network?.layers.get(shownIndex(problem, layer));
  if (!network || !own) throw new Error('no loops for this network');
  const planeOf = (tensor: string) => network.planes.get(tensor) ?? own.plane(tensor as 'w');
  return {
    at: (tensor, [row = 0, col = 0]) => planeOf(tensor).at(row, col),
    size: (tensor) => [planeOf(tensor).rows, planeOf(tensor).cols],
    readers: () => Number.NaN,
    images: 1,
    loss: null,
    linear: Number.NaN,
  };
}

export function passesOf(problem: Problem, layer: number | null = null): Passes {
  return problem.layers.length > 1 ? passesOfNetwork(problem, layer) : passesOfLayer(problem);
}

function passesOfLayer(problem: Problem): Passes {
  const { desc, x: given, w: weights, b: bias, loss: posed } = partsOf(problem);
  const source = posed.kind === 'given' ? posed.dy : posed;
  if (desc.layout !== 'nhwc') throw new Error('lessons are in nhwc');
  const { n, h, w: width, c, k, kh, kw, groups, stride_h, stride_w, dilation_h, dilation_w } = desc;
  const { top, left } = resolvePadding(desc);
  const [, oh, ow] = yShape(desc);
  const [groupC, groupK] = [c / groups, k / groups];
  const x = new Array4([n, h, width, c], given.data);
  const w = new Array4([kh, kw, groupC, k], weights.data);
  const [y, dy] = [new Array4([n, oh, ow, k]), new Array4([n, oh, ow, k])];
  const [dx, dw] = [new Array4([n, h, width, c]), new Array4([kh, kw, groupC, k])];
  const db = new Float64Array(k);

  type Visit = (
    image: number,
    i: number,
    j: number,
    f: number,
    p: number,
    q: number,
    ch: number,
    r: number,
    s: number,
  ) => void;
  const each = (visit: Visit) => {
    for (let image = 0; image < n; image += 1)
      for (let i = 0; i < oh; i += 1)
        for (let j = 0; j < ow; j += 1)
          for (let f = 0; f < k; f += 1)
            for (let p = 0; p < kh; p += 1)
              for (let q = 0; q < kw; q += 1)
                for (let ch = 0; ch < groupC; ch += 1) {
                  const r = i * stride_h + p * dilation_h - top;
                  const s = j * stride_w + q * dilation_w - left;
                  if (r < 0 || r >= h || s < 0 || s >= width) continue;
                  visit(image, i, j, f, p, q, ch, r, s);
                }
  };
  const channelOf = (f: number, ch: number) => Math.floor(f / groupK) * groupC + ch;

  for (let at = 0; at < y.data.length; at += 1) y.data[at] = bias?.data[at % k] ?? 0;
  each((image, i, j, f, p, q, ch, r, s) => {
    y.add(image, i, j, f, x.get(image, r, s, channelOf(f, ch)) * w.get(p, q, ch, f));
  });
  let loss: number | null = null;
  const total = y.data.length;
  if (source.kind === 'ones') dy.data.fill(1);
  else if (source.kind === 'one_hot' || source.kind === 'pointed') dy.data[source.index] = 1;
  else if (source.kind === 'values') dy.data.set(source.data);
  else if (source.kind === 'mse') {
    loss = 0;
    for (let at = 0; at < total; at += 1) {
      const error = (y.data[at] ?? 0) - (source.target?.[at] ?? 0);
      dy.data[at] = error / total;
      loss += (error * error) / (2 * total);
    }
  } else throw new Error(`no loops for a dy of kind ${source.kind}: remove the claim`);
  each((image, i, j, f, p, q, ch, r, s) => {
    const up = dy.get(image, i, j, f);
    dx.add(image, r, s, channelOf(f, ch), up * w.get(p, q, ch, f));
    dw.add(p, q, ch, f, up * x.get(image, r, s, channelOf(f, ch)));
  });
  dy.data.forEach((value, at) => {
    db[at % k] = (db[at % k] ?? 0) + value;
  });

  const pixels: Readonly<Record<string, Array4>> = { x, y, dy, dx };
  const kernels: Readonly<Record<string, Array4>> = { w, dw };
  return {
    at(tensor, [first = 0, second = 0, third = 0, fourth = 0]) {
      if (tensor === 'b') return bias?.data[first] ?? Number.NaN;
      if (tensor === 'db') return db[first] ?? Number.NaN;
      const kernel = kernels[tensor];
      if (kernel) return kernel.get(first, second, third, fourth);
      return pixels[tensor]?.get(fourth, first, second, third) ?? Number.NaN;
    },
    size(tensor) {
      const [a, b, cols] = (pixels[tensor] ?? kernels[tensor] ?? x).sizes;
      return tensor in kernels ? [a, b] : [b, cols];
    },
    readers(row, col) {
      let count = 0;
      each((image, _i, _j, f, _p, _q, ch, r, s) => {
        if (image === 0 && f === 0 && ch === 0 && r === row && s === col) count += 1;
      });
      return count;
    },
    images: n,
    loss,
    linear: y.data.reduce((sum, value, index) => sum + value * (dy.data[index] ?? Number.NaN), 0),
  };
}

/** The value of a cell by its index in a tensor of a shape. */
export function valueAt({ at }: Passes, tensor: string, index: number, shape: readonly number[]): number {
  if (tensor === 'db') return at(tensor, [index]);
  const place: number[] = [];
  let rest = index;
  for (const size of [...shape].reverse()) {
    place.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  const [first = 0, ...others] = place;
  return at(tensor, tensor === 'dw' ? place : [...others, first]);
}

/** The tensors before, between and after the layers, and their gradients, as the page has them. */
export function tensorSides(problem: Problem, result: ComputeResult): readonly [readonly Tensor[], readonly Tensor[]] {
  const all = resultOf(problem, result, null).layers.map(({ tensors }) => tensors);
  const present = (tensors: readonly (Tensor | undefined)[]) => tensors.filter((tensor) => tensor !== undefined);
  return [present([all[0]?.x, ...all.map(({ y }) => y)]), present([all[0]?.dx, ...all.map(({ dy }) => dy)])];
}
