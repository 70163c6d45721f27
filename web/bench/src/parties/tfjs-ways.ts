import * as tf from '@tensorflow/tfjs-core';
import { turned } from '../layout';
import { type Case, type InputName, type Shape4, wShape, xShape } from '../problem';
import { flipSides, isDepthwise, isDilated, isGrouped, isProduct, isStrided, unless } from './kinds';

type Pads = [[number, number], [number, number], [number, number], [number, number]];
/** Those that the pass has. */
export type Inputs = Readonly<Record<InputName, tf.Tensor>>;

/** One way of computing a pass with TensorFlow.js's operations. */
export interface Way {
  readonly name: string;
  readonly unsupported: string;
  /** Uploads the weights, which stay until they are disposed of. */
  readonly start: () => { readonly weights: readonly tf.Tensor[]; readonly compute: Compute };
}

type Compute = (inputs: Inputs) => tf.Tensor;

const withoutWeights = (compute: Compute) => () => ({ weights: [], compute });

export function tfjsWays(problem: Case): Way[] {
  if (problem.pass === 'forward') return [forwardWay(problem)];
  if (problem.pass === 'backward_data') return [transposeWay(problem), flipWay(problem)];
  if (problem.pass === 'backward_weights') return [convolutionWay(problem), depthwiseWay(problem), productWay(problem)];
  return [{ name: 'sum', unsupported: '', start: withoutWeights(({ dy }) => tf.sum(dy, [0, 1, 2])) }];
}

/** Padding of the forward pass on all four axes. */
const ownPads = ({ geometry: { padding } }: Case) => padsOf([padding.top, padding.bottom, padding.left, padding.right]);

/** TensorFlow's depthwise filters are [kh, kw, c, multiplier]; HWIO's are [kh, kw, 1, c], the same numbers in this order. */
const depthwiseShape = ([kh, kw, , c]: Shape4): Shape4 => [kh, kw, c, 1];

const padsOf = ([top, bottom, left, right]: readonly [number, number, number, number]): Pads => [
  [0, 0],
  [top, bottom],
  [left, right],
  [0, 0],
];

function forwardWay(problem: Case): Way {
  const { geometry: g, w, b } = problem;
  const depthwise = isDepthwise(problem);
  const shape = depthwise ? depthwiseShape(wShape(g)) : wShape(g);
  const fused = depthwise ? tf.fused.depthwiseConv2d : tf.fused.conv2d;
  return {
    name: 'conv2d',
    unsupported: unless(!isGrouped(problem), 'no groups'),
    start: () => {
      const [filter, bias] = [tf.tensor4d(w, shape), tf.tensor1d(b)];
      const steps = { strides: [g.stride_h, g.stride_w], dilations: [g.dilation_h, g.dilation_w] } as const;
      const compute: Compute = ({ x }) => fused({ x, filter, bias, ...steps, pad: ownPads(problem) });
      return { weights: [filter, bias], compute };
    },
  };
}

function transposeWay(problem: Case): Way {
  const { geometry: g, w } = problem;
  return {
    name: 'conv2dTranspose',
    unsupported: unless(g.groups === 1 && !isDilated(problem), 'no groups, no dilation'),
    start: () => {
      const filter = tf.tensor4d(w, wShape(g));
      const compute: Compute = ({ dy }) =>
        tf.conv2dTranspose(dy, filter, xShape(g), [g.stride_h, g.stride_w], ownPads(problem));
      return { weights: [filter], compute };
    },
  };
}

/** Stride 1: a forward pass over dy with the weights turned by 180 degrees and their channels exchanged. */
function flipWay(problem: Case): Way {
  const { geometry: g, w } = problem;
  const depthwise = isDepthwise(problem);
  return {
    name: 'flip',
    unsupported: unless(!isGrouped(problem) && !isStrided(problem), 'stride 1, no groups only'),
    start: () => {
      const filter = tf.tidy(() => {
        const flipped = tf.tensor4d(turned(w, wShape(g)), wShape(g));
        return depthwise ? tf.reshape(flipped, depthwiseShape(wShape(g))) : tf.transpose(flipped, [0, 1, 3, 2]);
      });
      const run = depthwise ? tf.depthwiseConv2d : tf.conv2d;
      const compute: Compute = ({ dy }) =>
        run(dy, filter, 1, padsOf(flipSides(problem)), 'NHWC', [g.dilation_h, g.dilation_w]);
      return { weights: [filter], compute };
    },
  };
}

/** dw as the convolution of x with dy: channels as batch, stride and dilation exchanged, cropped to the kernel. */
function convolutionWay(problem: Case): Way {
  const { geometry: g } = problem;
  return {
    name: 'dw-conv',
    unsupported: unless(g.groups === 1 && !(isStrided(problem) && isDilated(problem)), 'no groups; stride or dilation'),
    start: withoutWeights(({ x, dy }) => {
      const all = tf.conv2d(
        tf.transpose(x, [3, 1, 2, 0]),
        tf.transpose(dy, [1, 2, 0, 3]),
        [g.dilation_h, g.dilation_w],
        ownPads(problem),
        'NHWC',
        [g.stride_h, g.stride_w],
      );
      return tf.transpose(tf.slice(all, [0, 0, 0, 0], [g.c, g.kh, g.kw, g.k]), [1, 2, 0, 3]);
    }),
  };
}

function depthwiseWay(problem: Case): Way {
  const { geometry: g } = problem;
  return {
    name: 'dw-depthwise',
    unsupported: unless(isDepthwise(problem) && g.n === 1 && !isStrided(problem), 'depthwise, batch 1, stride 1 only'),
    start: withoutWeights(({ x, dy }) =>
      tf.depthwiseConv2d(x, tf.reshape(dy, [g.oh, g.ow, g.k, 1]), 1, ownPads(problem)),
    ),
  };
}

/** 1x1: the matrix product of x, transposed, and dy. */
function productWay(problem: Case): Way {
  const { geometry: g } = problem;
  return {
    name: 'dw-matmul',
    unsupported: unless(isProduct(problem), '1x1, stride 1 only'),
    start: withoutWeights(({ x, dy }) => tf.matMul(tf.reshape(x, [-1, g.c]), tf.reshape(dy, [-1, g.k]), true)),
  };
}
