import { flipWeights, permute } from '../layout';
import { type TfliteModel, type TfPadding, type TfTensor, type Window, windowFields } from '../models/tflite';
import { type Case, type InputName, type Shape4, sizeOf, wShape, xShape, yShape } from '../problem';
import { crossSize, flipSides, isDepthwise, isDilated, isGrouped, isProduct, isStrided, reasonUnless } from './kinds';

/** The tensors in INPUTS of the pass. */
export type Inputs = Readonly<Record<InputName, TfTensor>>;
export type Build = (model: TfliteModel, inputs: Inputs) => TfTensor;

/** An implementation of a pass as a TFLite graph. */
export interface LitertForm {
  readonly name: string;
  readonly unsupported: string;
  readonly build: Build;
}

export function litertForms(problem: Case): LitertForm[] {
  if (problem.pass === 'forward') return [forwardForm(problem)];
  if (problem.pass === 'backward_data') return [transposeForm(problem), flipForm(problem)];
  if (problem.pass === 'backward_weights') return [convolutionForm(problem), productForm(problem)];
  return [biasForm(problem)];
}

type Sides = readonly [top: number, bottom: number, left: number, right: number];

/**
 * TFLite convolutions have SAME and VALID only. Other padding is a PAD node, which XNNPACK fuses into the convolution.
 */
function padded(model: TfliteModel, value: TfTensor, [top, bottom, left, right]: Sides, sameAs: Sides) {
  const same = [top, bottom, left, right].every((side, i) => side === sameAs[i]);
  const padding: TfPadding = same ? 'same' : 'valid';
  const outside = [
    [0, 0],
    [top, bottom],
    [left, right],
    [0, 0],
  ] as const;
  return { value: same ? value : model.pad(value, outside), padding };
}

/** The padding that SAME adds before and after `size` elements. */
function sameSides(size: number, dilatedKernel: number, stride: number): readonly [number, number] {
  const rest = size % stride;
  const total = Math.max(dilatedKernel - (rest === 0 ? stride : rest), 0);
  return [Math.floor(total / 2), total - Math.floor(total / 2)];
}

function forwardForm(problem: Case): LitertForm {
  const { geometry: g, w, b } = problem;
  const { top, bottom, left, right } = g.padding;
  return {
    name: 'conv2d',
    unsupported: reasonUnless(!isGrouped(problem), 'no groups'),
    build: (model, { x }) => {
      const same = [...sameSides(g.h, g.dilated_kh, g.stride_h), ...sameSides(g.w, g.dilated_kw, g.stride_w)] as const;
      const input = padded(model, x, [top, bottom, left, right], same);
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
  bias?: TfTensor,
): TfTensor {
  const { geometry: g } = problem;
  const filters = shape[3];
  const extra = bias ? [bias] : [model.constant([filters], new Float32Array(filters))];
  if (isDepthwise(problem)) {
    const filter = model.constant([1, g.kh, g.kw, g.c], w);
    return model.node('DEPTHWISE_CONV_2D', [input, filter, ...extra], shape, [
      ...windowFields(windowOptions),
      [3, 'int32', 1],
      [5, 'int32', windowOptions.dilation_w],
      [6, 'int32', windowOptions.dilation_h],
    ]);
  }
  const inner = sizeOf(input.shape.slice(3));
  const filter = model.constant([filters, g.kh, g.kw, inner], permute(w, [g.kh, g.kw, inner, filters], [3, 0, 1, 2]));
  return model.node('CONV_2D', [input, filter, ...extra], shape, [
    ...windowFields(windowOptions),
    [4, 'int32', windowOptions.dilation_w],
    [5, 'int32', windowOptions.dilation_h],
  ]);
}

/** The transposed convolution computes the padded dx. The padding is cropped. */
function transposeForm(problem: Case): LitertForm {
  const { geometry: g, w } = problem;
  const { top, bottom, left, right } = g.padding;
  const paddedShape: Shape4 = [g.n, g.h + top + bottom, g.w + left + right, g.c];
  const same =
    !isStrided(problem) &&
    [...sameSides(g.h, g.kh, 1), ...sameSides(g.w, g.kw, 1)].join() === [top, bottom, left, right].join();
  return {
    name: 'transpose-conv',
    unsupported: reasonUnless(g.groups === 1 && !isDilated(problem), 'no groups, no dilation'),
    build: (model, { dy }) => {
      const filter = model.constant([g.c, g.kh, g.kw, g.k], permute(w, wShape(g), [2, 0, 1, 3]));
      const shape = same ? xShape(g) : paddedShape;
      const windowOptions = { ...g, padding: same ? 'same' : 'valid' } as const;
      const result = model.node(
        'TRANSPOSE_CONV',
        [model.integers(shape), filter, dy],
        shape,
        windowFields(windowOptions),
      );
      return model.slice(result, same ? [0, 0, 0, 0] : [0, top, left, 0], xShape(g));
    },
  };
}

/** Stride 1: a forward pass over dy with weights flipped by 180 degrees and their channel axes exchanged. */
function flipForm(problem: Case): LitertForm {
  const { geometry: g, w } = problem;
  return {
    name: 'flip',
    unsupported: reasonUnless(!isGrouped(problem) && !isStrided(problem), 'stride 1, no groups only'),
    build: (model, { dy }) => {
      const same = [...sameSides(g.oh, g.dilated_kh, 1), ...sameSides(g.ow, g.dilated_kw, 1)] as const;
      const input = padded(model, dy, flipSides(problem), same);
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
  const { top, bottom, left, right } = g.padding;
  const [rows, columns] = crossSize(problem);
  return {
    name: 'dw-conv',
    unsupported: reasonUnless(g.groups === 1, 'no groups'),
    build: (model, { x, dy }) => {
      const paddedX = model.pad(x, [
        [0, 0],
        [top, bottom],
        [left, right],
        [0, 0],
      ]);
      const images = model.transpose(paddedX, [3, 1, 2, 0]);
      const filter = model.transpose(dy, [3, 1, 2, 0]);
      const bias = model.constant([g.k], new Float32Array(g.k));
      const windowOptions = {
        stride_h: g.dilation_h,
        stride_w: g.dilation_w,
        dilation_h: g.stride_h,
        dilation_w: g.stride_w,
      };
      const all = model.node(
        'CONV_2D',
        [images, filter, bias],
        [g.c, rows, columns, g.k],
        [
          ...windowFields({ ...windowOptions, padding: 'valid' }),
          [4, 'int32', windowOptions.dilation_w],
          [5, 'int32', windowOptions.dilation_h],
        ],
      );
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
    unsupported: reasonUnless(isProduct(problem), '1x1, stride 1 only'),
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
    unsupported: '',
    build: (model, { dy }) => model.node('SUM', [dy, model.integers([0, 1, 2])], [g.k]),
  };
}
