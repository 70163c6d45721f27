import { flipWeights, permute } from '../layout';
import { type TfliteModel, type TfTensor, type Window, windowFields } from '../models/tflite';
import { type Case, type InputName, type Shape4, sizeOf, wShape, xShape, yShape } from '../problem';
import {
  crossSize,
  flipSides,
  isDepthwise,
  isDilated,
  isGrouped,
  isProduct,
  isStrided,
  padsOf,
  type Sides,
  sidesOf,
} from './kinds';

/** The tensors in INPUTS of the pass. */
export type Inputs = Readonly<Record<InputName, TfTensor>>;
export type Build = (model: TfliteModel, inputs: Inputs) => TfTensor;

/** An implementation of a pass as a TFLite graph. */
export interface LitertForm {
  readonly name: string;
  readonly isSupported: boolean;
  readonly build: Build;
}

export function litertForms(problem: Case): LitertForm[] {
  if (problem.pass === 'forward') return [forwardForm(problem)];
  if (problem.pass === 'backward_data') return [transposeForm(problem), flipForm(problem)];
  if (problem.pass === 'backward_weights') return [convolutionForm(problem), productForm(problem)];
  return [biasForm(problem)];
}

/**
 * TFLite convolutions have SAME and VALID only. Other padding is a PAD node, which XNNPACK fuses into the convolution.
 */
function padded(model: TfliteModel, value: TfTensor, sides: Sides, same: Sides) {
  if (isEqual(sides, same)) return { value, padding: 'same' } as const;
  return { value: model.pad(value, padsOf(sides)), padding: 'valid' } as const;
}

const isEqual = (a: Sides, b: Sides): boolean => a.every((side, i) => side === b[i]);

/** The padding that SAME adds around rows x columns of cells. */
function sameSides([rows, columns]: Pair, [tall, wide]: Pair, [down, across]: Pair = [1, 1]): Sides {
  const along = (size: number, dilatedKernel: number, stride: number) => {
    const total = Math.max(dilatedKernel - (size % stride || stride), 0);
    return [Math.floor(total / 2), total - Math.floor(total / 2)] as const;
  };
  return [...along(rows, tall, down), ...along(columns, wide, across)];
}

type Pair = readonly [number, number];

function forwardForm(problem: Case): LitertForm {
  const { geometry: g, w, b } = problem;
  return {
    name: 'conv2d',
    isSupported: !isGrouped(problem),
    build: (model, { x }) => {
      const same = sameSides([g.h, g.w], [g.dilated_kh, g.dilated_kw], [g.stride_h, g.stride_w]);
      const input = padded(model, x, sidesOf(g), same);
      const bias = model.constant([g.k], b);
      return convolve(model, problem, input.value, { ...g, padding: input.padding }, w, yShape(g), bias);
    },
  };
}

/** A convolution with constant HWIO weights, as CONV_2D or DEPTHWISE_CONV_2D. */
function convolve(
  model: TfliteModel,
  problem: Case,
  input: TfTensor,
  windowOptions: Window,
  w: Float32Array,
  shape: Shape4,
  bias = zeros(model, shape[3]),
): TfTensor {
  const { geometry: g } = problem;
  const filters = shape[3];
  if (isDepthwise(problem)) {
    const filter = model.constant([1, g.kh, g.kw, g.c], w);
    const fields = [...windowFields(windowOptions, 5), [3, 'int32', 1] as const];
    return model.node('DEPTHWISE_CONV_2D', [input, filter, bias], shape, fields);
  }
  const inner = sizeOf(input.shape.slice(3));
  const filter = model.constant([filters, g.kh, g.kw, inner], permute(w, [g.kh, g.kw, inner, filters], [3, 0, 1, 2]));
  return model.node('CONV_2D', [input, filter, bias], shape, windowFields(windowOptions, 4));
}

const zeros = (model: TfliteModel, count: number): TfTensor => model.constant([count], new Float32Array(count));

/** The transposed convolution computes the padded dx. The padding is cropped. */
function transposeForm(problem: Case): LitertForm {
  const { geometry: g, w } = problem;
  const { top, bottom, left, right } = g.padding;
  const paddedShape: Shape4 = [g.n, g.h + top + bottom, g.w + left + right, g.c];
  const same = !isStrided(problem) && isEqual(sidesOf(g), sameSides([g.h, g.w], [g.kh, g.kw]));
  return {
    name: 'transpose-conv',
    isSupported: g.groups === 1 && !isDilated(problem),
    build: (model, { dy }) => {
      const filter = model.constant([g.c, g.kh, g.kw, g.k], permute(w, wShape(g), [2, 0, 1, 3]));
      const shape = same ? xShape(g) : paddedShape;
      const fields = windowFields({ ...g, padding: same ? 'same' : 'valid' });
      const result = model.node('TRANSPOSE_CONV', [model.integers(shape), filter, dy], shape, fields);
      return model.slice(result, same ? [0, 0, 0, 0] : [0, top, left, 0], xShape(g));
    },
  };
}

/** Stride 1: a forward pass over dy with weights flipped by 180 degrees and their channel axes exchanged. */
function flipForm(problem: Case): LitertForm {
  const { geometry: g, w } = problem;
  return {
    name: 'flip',
    isSupported: !isGrouped(problem) && !isStrided(problem),
    build: (model, { dy }) => {
      const input = padded(model, dy, flipSides(problem), sameSides([g.oh, g.ow], [g.dilated_kh, g.dilated_kw]));
      const flipped = flipWeights(w, wShape(g));
      const exchanged = isDepthwise(problem) ? flipped : permute(flipped, wShape(g), [0, 1, 3, 2]);
      return convolve(model, problem, input.value, { ...g, padding: input.padding }, exchanged, xShape(g));
    },
  };
}

/**
 * dw as the convolution of x with dy: channels and batch, and stride and dilation, exchanged; cropped to the kernel.
 */
function convolutionForm(problem: Case): LitertForm {
  const { geometry: g } = problem;
  const [rows, columns] = crossSize(problem);
  return {
    name: 'dw-conv',
    isSupported: g.groups === 1,
    build: (model, { x, dy }) => {
      const images = model.transpose(model.pad(x, padsOf(sidesOf(g))), [3, 1, 2, 0]);
      const filter = model.transpose(dy, [3, 1, 2, 0]);
      const strides = { stride_h: g.dilation_h, stride_w: g.dilation_w };
      const dilations = { dilation_h: g.stride_h, dilation_w: g.stride_w };
      const fields = windowFields({ ...strides, ...dilations, padding: 'valid' }, 4);
      const all = model.node('CONV_2D', [images, filter, zeros(model, g.k)], [g.c, rows, columns, g.k], fields);
      return model.transpose(model.slice(all, [0, 0, 0, 0], [g.c, g.kh, g.kw, g.k]), [1, 2, 0, 3]);
    },
  };
}

/** 1x1: the matrix product x^T . dy. */
function productForm(problem: Case): LitertForm {
  const { geometry: g } = problem;
  const pixels = g.n * g.h * g.w;
  return {
    name: 'dw-matmul',
    isSupported: isProduct(problem),
    build: (model, { x, dy }) => {
      const matrix = (value: TfTensor, columns: number) =>
        model.node('RESHAPE', [value, model.integers([pixels, columns])], [pixels, columns]);
      return model.node('BATCH_MATMUL', [matrix(x, g.c), matrix(dy, g.k)], [g.c, g.k], [[0, 'int8', 1]]);
    },
  };
}

function biasForm({ geometry: g }: Case): LitertForm {
  return {
    name: 'sum',
    isSupported: true,
    build: (model, { dy }) => model.node('SUM', [dy, model.integers([0, 1, 2])], [g.k]),
  };
}
