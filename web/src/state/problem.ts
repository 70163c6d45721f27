import type { Cell } from '../protocol/cell';
import type { ComputeRequest } from '../protocol/messages';
import { type ConvDesc, PASSES, type Pass, type Shape } from '../protocol/problem';
import { bShape, shapeSize, wShape, xShape, yShape } from '../protocol/shapes';
import { type DySource, dyEntry } from '../sources/dy-sources';
import { generated, type InputTensor, resized } from '../sources/inputs';
import { copyCommon, logicalOf, nearestIndex } from '../sources/logical';
import type { TensorSource } from '../sources/tensor-sources';

/** All inputs of the computation. Immutable: an edit makes a new problem. */
export interface Problem {
  readonly desc: ConvDesc;
  readonly x: InputTensor;
  readonly w: InputTensor;
  /** [1,1,1,k]; null: no bias. */
  readonly b: InputTensor | null;
  readonly dy: DySource;
  /** Forced algorithms by name; the library plans the other passes. */
  readonly algorithms: Readonly<Partial<Record<Pass, string>>>;
}

const OPENING_DESC: ConvDesc = {
  layout: 'nhwc',
  n: 1,
  h: 5,
  w: 5,
  c: 1,
  k: 1,
  kh: 3,
  kw: 3,
  stride_h: 1,
  stride_w: 1,
  dilation_h: 1,
  dilation_w: 1,
  groups: 1,
  padding_mode: 'explicit_sides',
  padding: { top: 0, bottom: 0, left: 0, right: 0 },
};

/**
 * The first problem that the page shows; stride and padding are one change away. A bright corner under an edge filter:
 * y is large at the edge. dy is 1 in the cell under the pointer, at first in the one that is explained: dx is a copy of w at its
 * window, and dw is the window itself.
 */
export function openingProblem(): Problem {
  const desc = OPENING_DESC;
  return {
    desc,
    x: generated({ kind: 'corner' }, 'pixels', desc.layout, xShape(desc)),
    w: generated({ kind: 'filter', name: 'sobel_x' }, 'weights', desc.layout, wShape(desc)),
    b: null,
    dy: { kind: 'pointed', index: OPENING_CELL.index },
    algorithms: {},
  };
}

/** The cell of the opening problem that is explained at the start: the middle of y. */
export const OPENING_CELL: Cell = { tensor: 'y', index: 4 };

/** The problem with another valid descriptor (see checkDesc); values keep their logical positions. */
export function withDesc(problem: Problem, desc: ConvDesc): Problem {
  const { layout } = problem.desc;
  const { b } = problem;
  return {
    ...problem,
    desc,
    x: resized(problem.x, 'pixels', layout, desc.layout, xShape(desc)),
    w: resized(problem.w, 'weights', layout, desc.layout, wShape(desc)),
    b: b && resized(b, 'bias', layout, desc.layout, bShape(desc)),
    dy: dyFor(problem, desc),
  };
}

/** dy resized to the output of another descriptor: cells keep their positions, new cells are 0. */
function dyFor({ dy, desc: before }: Problem, desc: ConvDesc): DySource {
  const from = yShape(before);
  const to = yShape(desc);
  if (before.layout === desc.layout && from.every((size, i) => size === to[i])) return dy;
  const target = logicalOf('pixels', desc.layout, to);
  const moved = (data: Float32Array, shape: Shape): Float32Array => {
    const result = new Float32Array(shapeSize(to));
    copyCommon(data, logicalOf('pixels', before.layout, shape), result, target);
    return result;
  };
  return dyEntry(dy).resize(dy, {
    to,
    data: moved,
    whole: (values) => moved(values, from),
    index: (index) => nearestIndex(index, logicalOf('pixels', before.layout, from), target),
  });
}

/** One request for everything that the page draws. */
export const requestOf = ({ desc, x, w, b, dy, algorithms }: Problem): ComputeRequest => ({
  type: 'compute',
  desc,
  x: x.data,
  w: w.data,
  b: b?.data ?? null,
  dy: dyEntry(dy).send(dy, yShape(desc)),
  passes: PASSES,
  algorithms,
});

export const isPhoto = (source: TensorSource): boolean => source.kind === 'sample' || source.kind === 'file';
