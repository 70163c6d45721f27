import { flipWeights, permute, permuted } from '../layout';
import type { OnnxModel, Value } from '../models/onnx';
import { type Case, type InputName, wShape } from '../problem';
import { crossSize, flipSides, isDepthwise, isProduct, isStrided, type Sides, sidesOf } from './kinds';

/** An implementation of a pass as an ONNX graph: from NCHW values to an NCHW (OIHW for dw) value. */
export interface OnnxForm {
  readonly name: string;
  readonly isSupported: boolean;
  readonly inputs: readonly InputName[];
  readonly build: (model: OnnxModel, inputs: Readonly<Record<InputName, Value>>) => Value;
}

/** The training build is used only for ConvGrad, which the other parties do not have. */
export function onnxForms(problem: Case, training: boolean): OnnxForm[] {
  if (training) return problem.pass.startsWith('backward') ? [convGrad(problem)] : [];
  if (problem.pass === 'forward') return [convolution(problem)];
  if (problem.pass === 'backward_data') return [transposed(problem), flip(problem)];
  if (problem.pass === 'backward_weights') return [crossConvolution(problem), groupedCross(problem), product(problem)];
  return [sum()];
}

/** ONNX's order: the starts of all axes, then the ends. */
const onnxPads = ([top, bottom, left, right]: Sides) => [top, left, bottom, right];

const attributesOf = ({ geometry: g }: Case) => ({
  kernel_shape: [g.kh, g.kw],
  strides: [g.stride_h, g.stride_w],
  dilations: [g.dilation_h, g.dilation_w],
  pads: onnxPads(sidesOf(g)),
  group: g.groups,
});

/** HWIO to OIHW. */
const oihw = ({ geometry: g, w }: Case) => permute(w, wShape(g), [3, 2, 0, 1]);
const oihwShape = ({ geometry: g }: Case) => permuted(wShape(g), [3, 2, 0, 1]);

function convolution(problem: Case): OnnxForm {
  return {
    name: 'Conv',
    isSupported: true,
    inputs: ['x'],
    build: (model, { x }) => {
      const weights = model.constant(oihwShape(problem), oihw(problem));
      const bias = model.constant([problem.geometry.k], problem.b);
      return model.node('Conv', [x, weights, bias], attributesOf(problem));
    },
  };
}

function transposed(problem: Case): OnnxForm {
  const { geometry: g } = problem;
  return {
    name: 'ConvTranspose',
    isSupported: true,
    inputs: ['dy'],
    build: (model, { dy }) =>
      model.node('ConvTranspose', [dy, model.constant(oihwShape(problem), oihw(problem))], {
        ...attributesOf(problem),
        output_padding: [g.remainder_h, g.remainder_w],
      }),
  };
}

/** Stride 1: a forward pass over dy with weights flipped by 180 degrees and their channel axes exchanged. */
function flip(problem: Case): OnnxForm {
  const { geometry: g, w } = problem;
  const depthwise = isDepthwise(problem);
  return {
    name: 'flip',
    isSupported: !isStrided(problem) && (depthwise || g.groups === 1),
    inputs: ['dy'],
    build: (model, { dy }) => {
      const order = depthwise ? ([3, 2, 0, 1] as const) : ([2, 3, 0, 1] as const);
      const shape = permuted(wShape(g), order);
      const weights = model.constant(shape, permute(flipWeights(w, wShape(g)), wShape(g), order));
      return model.node('Conv', [dy, weights], { ...attributesOf(problem), pads: onnxPads(flipSides(problem)) });
    },
  };
}

/** Strides and dilations exchanged, with dy as the kernel. */
const crossAttributes = (problem: Case, group: number) => {
  const { geometry: g } = problem;
  const { strides: dilations, dilations: strides, pads } = attributesOf(problem);
  return { kernel_shape: [g.oh, g.ow], strides, dilations, pads, group };
};

function crop(model: OnnxModel, problem: Case, value: Value): Value {
  const { geometry: g } = problem;
  const [rows, columns] = crossSize(problem);
  if (rows === g.kh && columns === g.kw) return value;
  const [starts, ends, axes] = [model.integers([0, 0]), model.integers([g.kh, g.kw]), model.integers([2, 3])];
  return model.node('Slice', [value, starts, ends, axes]);
}

/** dw as the convolution of x with dy, with channels and batch exchanged. */
function crossConvolution(problem: Case): OnnxForm {
  const { geometry: g } = problem;
  const exchange = { perm: [1, 0, 2, 3] };
  return {
    name: 'dw-conv',
    isSupported: g.groups === 1,
    inputs: ['x', 'dy'],
    build: (model, { x, dy }) => {
      const [images, kernels] = [model.node('Transpose', [x], exchange), model.node('Transpose', [dy], exchange)];
      const all = model.node('Conv', [images, kernels], crossAttributes(problem, 1));
      return model.node('Transpose', [crop(model, problem, all)], exchange);
    },
  };
}

/** Depthwise, batch 1: convolves each channel of x with its channel of dy. */
function groupedCross(problem: Case): OnnxForm {
  const { geometry: g } = problem;
  return {
    name: 'dw-depthwise',
    isSupported: isDepthwise(problem) && g.n === 1,
    inputs: ['x', 'dy'],
    build: (model, { x, dy }) => {
      const kernels = model.node('Reshape', [dy, model.integers([g.c, 1, g.oh, g.ow])]);
      const all = model.node('Conv', [x, kernels], crossAttributes(problem, g.c));
      return model.node('Transpose', [crop(model, problem, all)], { perm: [1, 0, 2, 3] });
    },
  };
}

/** 1x1, batch 1: dy . x^T, summed over the pixels. */
function product(problem: Case): OnnxForm {
  const { geometry: g } = problem;
  return {
    name: 'dw-matmul',
    isSupported: isProduct(problem) && g.n === 1,
    inputs: ['x', 'dy'],
    build: (model, { x, dy }) => {
      const matrix = (value: Value, rows: number) => model.node('Reshape', [value, model.integers([rows, -1])]);
      const result = model.node('Gemm', [matrix(dy, g.k), matrix(x, g.c)], { transB: 1 });
      return model.node('Reshape', [result, model.integers([g.k, g.c, 1, 1])]);
    },
  };
}

function sum(): OnnxForm {
  return {
    name: 'ReduceSum',
    isSupported: true,
    inputs: ['dy'],
    build: (model, { dy }) => model.node('ReduceSum', [dy, model.integers([0, 2, 3])], { keepdims: 0 }),
  };
}

/** com.microsoft ConvGrad computes dX, dW and dB. Only the requested one is an output. */
function convGrad(problem: Case): OnnxForm {
  const wanted = ['backward_data', 'backward_weights', 'backward_bias'].map((pass) => pass === problem.pass);
  return {
    name: 'ConvGrad',
    // dB alone is a plain sum.
    isSupported: problem.pass !== 'backward_bias',
    inputs: ['x', 'dy'],
    build: (model, { x, dy }) => {
      const weights = model.constant(oihwShape(problem), oihw(problem));
      return model.node('ConvGrad', [dy, x, weights], attributesOf(problem), 'com.microsoft', wanted);
    },
  };
}
