import * as tf from '@tensorflow/tfjs-core';
import { flipWeights } from '../layout';
import { type Case, type InputName, type Shape4, wShape, xShape } from '../problem';
import { flipSides, isDepthwise, isDilated, isGrouped, isProduct, isStrided, padsOf, sidesOf } from './kinds';

/** The tensors in INPUTS of the pass. */
export type Inputs = Readonly<Record<InputName, tf.Tensor>>;

/** An implementation of a pass with TensorFlow.js operations. */
export interface TfjsForm {
  readonly name: string;
  readonly isSupported: boolean;
  /** Uploads the weights. The caller disposes of them. */
  readonly start: () => { readonly weights: readonly tf.Tensor[]; readonly compute: Compute };
}

type Compute = (inputs: Inputs) => tf.Tensor;

const withoutWeights = (compute: Compute) => () => ({ weights: [], compute });

export function tfjsForms(problem: Case): TfjsForm[] {
  if (problem.pass === 'forward') return [forwardForm(problem)];
  if (problem.pass === 'backward_data') return [transposeForm(problem), flipForm(problem)];
  if (problem.pass === 'backward_weights')
    return [convolutionForm(problem), depthwiseForm(problem), productForm(problem)];
  return [{ name: 'sum', isSupported: true, start: withoutWeights(({ dy }) => tf.sum(dy, [0, 1, 2])) }];
}

/** Padding of the forward pass on all four axes. */
const forwardPads = ({ geometry }: Case) => padsOf(sidesOf(geometry));

/** TensorFlow's depthwise filters are [kh, kw, c, multiplier]: HWIO data [kh, kw, 1, c] in the same order. */
const depthwiseShape = ([kh, kw, , c]: Shape4): Shape4 => [kh, kw, c, 1];

function forwardForm(problem: Case): TfjsForm {
  const { geometry: g, w, b } = problem;
  const depthwise = isDepthwise(problem);
  const shape = depthwise ? depthwiseShape(wShape(g)) : wShape(g);
  const fused = depthwise ? tf.fused.depthwiseConv2d : tf.fused.conv2d;
  return {
    name: 'conv2d',
    isSupported: !isGrouped(problem),
    start: () => {
      const [filter, bias] = [tf.tensor4d(w, shape), tf.tensor1d(b)];
      const strideAndDilation = { strides: [g.stride_h, g.stride_w], dilations: [g.dilation_h, g.dilation_w] } as const;
      const compute: Compute = ({ x }) => fused({ x, filter, bias, ...strideAndDilation, pad: forwardPads(problem) });
      return { weights: [filter, bias], compute };
    },
  };
}

function transposeForm(problem: Case): TfjsForm {
  const { geometry: g, w } = problem;
  return {
    name: 'conv2dTranspose',
    isSupported: g.groups === 1 && !isDilated(problem),
    start: () => {
      const filter = tf.tensor4d(w, wShape(g));
      const compute: Compute = ({ dy }) =>
        tf.conv2dTranspose(dy, filter, xShape(g), [g.stride_h, g.stride_w], forwardPads(problem));
      return { weights: [filter], compute };
    },
  };
}

/** Stride 1: a forward pass over dy with weights flipped by 180 degrees and their channel axes exchanged. */
function flipForm(problem: Case): TfjsForm {
  const { geometry: g, w } = problem;
  const depthwise = isDepthwise(problem);
  return {
    name: 'flip',
    isSupported: !isGrouped(problem) && !isStrided(problem),
    start: () => {
      const filter = tf.tidy(() => {
        const flipped = tf.tensor4d(flipWeights(w, wShape(g)), wShape(g));
        return depthwise ? tf.reshape(flipped, depthwiseShape(wShape(g))) : tf.transpose(flipped, [0, 1, 3, 2]);
      });
      const run = depthwise ? tf.depthwiseConv2d : tf.conv2d;
      const compute: Compute = ({ dy }) =>
        run(dy, filter, 1, padsOf(flipSides(problem)), 'NHWC', [g.dilation_h, g.dilation_w]);
      return { weights: [filter], compute };
    },
  };
}

/**
 * dw as the convolution of x with dy: channels and batch, and stride and dilation, exchanged; cropped to the kernel.
 */
function convolutionForm(problem: Case): TfjsForm {
  const { geometry: g } = problem;
  return {
    name: 'dw-conv',
    isSupported: g.groups === 1 && !(isStrided(problem) && isDilated(problem)),
    start: withoutWeights(({ x, dy }) => {
      const all = tf.conv2d(
        tf.transpose(x, [3, 1, 2, 0]),
        tf.transpose(dy, [1, 2, 0, 3]),
        [g.dilation_h, g.dilation_w],
        forwardPads(problem),
        'NHWC',
        [g.stride_h, g.stride_w],
      );
      return tf.transpose(tf.slice(all, [0, 0, 0, 0], [g.c, g.kh, g.kw, g.k]), [1, 2, 0, 3]);
    }),
  };
}

function depthwiseForm(problem: Case): TfjsForm {
  const { geometry: g } = problem;
  return {
    name: 'dw-depthwise',
    isSupported: isDepthwise(problem) && g.n === 1 && !isStrided(problem),
    start: withoutWeights(({ x, dy }) =>
      tf.depthwiseConv2d(x, tf.reshape(dy, [g.oh, g.ow, g.k, 1]), 1, forwardPads(problem)),
    ),
  };
}

/** 1x1: the matrix product x^T . dy. */
function productForm(problem: Case): TfjsForm {
  const { geometry: g } = problem;
  return {
    name: 'dw-matmul',
    isSupported: isProduct(problem),
    start: withoutWeights(({ x, dy }) => tf.matMul(tf.reshape(x, [-1, g.c]), tf.reshape(dy, [-1, g.k]), true)),
  };
}
