import { type PlaneSizes, shapeOfSizes } from '../protocol/layers';
import { type ConvDesc, type Geometry, INPUTS, type InputName, KIND_OF, type TensorKind } from '../protocol/problem';
import { bShape, checkDesc, shapeOf, wShape } from '../protocol/shapes';
import { type FilterName, KERNEL_SIZE } from '../sources/generators';
import { generated, type InputTensor } from '../sources/inputs';
import { fill, indexAt, type Logical, logicalOf, positionAt } from '../sources/logical';
import { painted } from '../sources/loss';
import type { SampleName } from '../sources/samples/draw-sample';
import { cellsIn, type EditResult, editData, editDesc, fixedError, missingCellText, refused, withInput } from './edits';
import { endOf, type Problem, problemOfLayer, shownLayer, withConv } from './problem';

/** Edits of whole inputs. This module is loaded with the first image or the first import. */

/** An image: [1, h, w, channels] values 0..1, independent of the problem's layout. */
export interface ImageInput {
  readonly h: number;
  readonly w: number;
  readonly channels: 1 | 3;
  readonly source: { readonly kind: 'file'; readonly name: string; readonly data: Float32Array } | SampleSource;
}

export interface SampleSource {
  readonly kind: 'sample';
  readonly name: SampleName;
}

const FIRST_FILTER: FilterName = 'sobel_x';

/**
 * Makes the image the input: one filter for each channel (depthwise), stride 1, `same` padding, no bias. dy becomes the
 * gradient of mse to 0, which is a multiple of y. With dy = 1, dx of a filter with sum 0 would be 0 everywhere.
 */
export function editImage(problem: Problem, layer: number, image: ImageInput): EditResult {
  const { h, w, channels, source } = image;
  const shown = shownLayer(problem, layer);
  const desc: ConvDesc = {
    ...shown.desc,
    ...{ n: 1, h, w, c: channels, k: channels, groups: channels, kh: KERNEL_SIZE, kw: KERNEL_SIZE },
    ...{ stride_h: 1, stride_w: 1, dilation_h: 1, dilation_w: 1, padding_mode: 'same' },
  };
  const error = checkDesc(desc);
  if (error) return { error };
  const { source: filter, edited } = shown.w;
  // An image kernel in w stays.
  const name = filter.kind === 'filter' && !edited ? filter.name : FIRST_FILTER;
  return {
    problem: problemOfLayer(desc, {
      x: imageTensor(desc, source),
      w: generated({ kind: 'filter', name }, 'weights', desc.layout, wShape(desc)),
      b: null,
      loss: { kind: 'mse', target: null },
    }),
  };
}

/**
 * Changes the channels of the image in x; stride, padding and dilation stay. A depthwise convolution stays depthwise.
 * Any other keeps its number of filters, with groups = 1.
 */
export function editChannels(problem: Problem, layer: number, image: ImageInput): EditResult {
  const { h, w, channels, source } = image;
  const { desc: before } = shownLayer(problem, layer);
  const apart = before.groups === before.c && before.k === before.c;
  const sorted = apart ? { k: channels, groups: channels } : { groups: 1 };
  const sized = editDesc(problem, layer, problem, { n: 1, h, w, c: channels, ...sorted });
  if ('error' in sized || source.kind === 'sample') return sized;
  return { problem: { ...sized.problem, x: imageTensor(sized.problem.input, source) } };
}

/** True if the image has the size of x, as required of an image that a link names. */
export const isOfSize = (
  { input }: Pick<Problem, 'input'>,
  { h, w, channels }: Pick<ImageInput, 'h' | 'w' | 'channels'>,
): boolean => input.n === 1 && input.h === h && input.w === w && input.c === channels;

/** Loads an image into x and changes nothing else. */
export function editMissingImage(problem: Problem, image: ImageInput): EditResult {
  const { h, w, channels, source } = image;
  const { input } = problem;
  if (!isOfSize(problem, image)) {
    const size = `${input.h} × ${input.w} with ${input.c} channels`;
    return refused('x', `x is ${size}, but the image is ${h} × ${w} with ${channels}`);
  }
  return { problem: { ...problem, x: imageTensor(input, source) } };
}

/** An image as x. */
function imageTensor(input: PlaneSizes, source: ImageInput['source']): InputTensor {
  const shape = shapeOfSizes(input);
  if (source.kind === 'sample') return generated(source, 'pixels', input.layout, shape);
  const { name, data } = source;
  const natural = (_n: number, i: number, j: number, c: number) => data[(i * input.w + j) * input.c + c] ?? 0;
  return {
    shape,
    data: input.layout === 'nhwc' ? data : fill(logicalOf('pixels', input.layout, shape), natural),
    source: { kind: 'file', name },
    edited: false,
  };
}

/** Imported values, in the order of the layout, and their sizes. */
export interface ImportedTensors {
  readonly desc: Partial<ConvDesc>;
  readonly tensors: Readonly<Partial<Record<InputName, Float32Array>>>;
  /** Name of the file or array; '' for pasted values. */
  readonly name: string;
  /** Without a bias. */
  readonly removesBias?: boolean;
}

/** Sets all imported tensors in one undo step. */
export function editNumbers(
  problem: Problem,
  layer: number,
  { desc, tensors, name: from, removesBias }: ImportedTensors,
): EditResult {
  const sized = editDesc(problem, layer, problem, desc);
  if ('error' in sized) return sized;
  let taken = removesBias ? withConv(sized.problem, layer, { b: null }) : sized.problem;
  const { desc: now, b } = shownLayer(taken, layer);
  const source = { kind: 'brought', name: from } as const;
  if (tensors.b && !b) {
    taken = withInput(taken, layer, 'b', generated(source, 'bias', now.layout, bShape(now)));
  }
  for (const name of INPUTS) {
    const fixed = tensors[name] && fixedError(taken, layer, name);
    if (fixed) return fixed;
  }
  for (const name of ['x', 'w', 'b'] as const) {
    const [tensor, data] = [shownLayer(taken, layer)[name], tensors[name]];
    if (!tensor || !data) continue;
    if (data.length !== tensor.data.length) return refused(name, countsText(name, tensor.data.length, data.length));
    taken = withInput(taken, layer, name, { ...tensor, data, source, edited: false });
  }
  if (tensors.dy) {
    const shape = endOf(taken);
    const cells = shape.reduce((count, size) => count * size, 1);
    if (tensors.dy.length !== cells) return refused('dy', countsText('dy', cells, tensors.dy.length));
    taken = { ...taken, loss: painted(shape, tensors.dy) };
  }
  return { problem: taken };
}

const countsText = (name: InputName, cells: number, numbers: number): string =>
  `${name} has ${cells} cells, but the import has ${numbers} values`;

/** A rectangle of values for one slice of an input; its first cell is the top left one. */
export interface Block {
  readonly tensor: InputName;
  /** Index of the first cell, in `geometry`. */
  readonly index: number;
  readonly geometry: Geometry;
  readonly rows: number;
  readonly cols: number;
  readonly values: Float32Array;
}

/** Axes of rows and columns in `logicalOf`; a bias has one row. */
const AXES: Readonly<Record<TensorKind, readonly [row: 0 | 1 | 2, col: 1 | 2 | 3]>> = {
  pixels: [1, 2],
  weights: [0, 1],
  bias: [2, 3],
};
type Size = 'h' | 'w' | 'kh' | 'kw' | 'k';
/** Sizes that can grow; the sizes of dy follow from the others. */
const SIZES: Readonly<Record<InputName, readonly [row: Size | null, col: Size | null]>> = {
  x: ['h', 'w'],
  w: ['kh', 'kw'],
  b: [null, 'k'],
  dy: [null, null],
};

const logicalIn = (desc: ConvDesc, tensor: InputName): Logical =>
  logicalOf(KIND_OF[tensor], desc.layout, shapeOf(tensor, desc));

export interface BlockFit {
  readonly row: number;
  readonly col: number;
  /** Rows and columns that do not fit. */
  readonly over: readonly [rows: number, cols: number];
  /** Sizes with which the block fits; null if they follow from others. */
  readonly grown: Partial<ConvDesc> | null;
}

/** The position of a block; null if its first cell no longer exists. */
export function fitOf(desc: ConvDesc, block: Block): BlockFit | null {
  const { tensor, index, geometry, rows, cols } = block;
  const [first] = cellsIn(desc, { tensor, indices: [index], geometry });
  const logical = logicalIn(desc, tensor);
  const position = first === undefined ? null : positionAt(first, logical);
  if (!position) return null;
  const [rowAxis, colAxis] = AXES[KIND_OF[tensor]];
  const ends = [position[rowAxis] + rows, position[colAxis] + cols] as const;
  const over = [Math.max(0, ends[0] - logical.sizes[rowAxis]), Math.max(0, ends[1] - logical.sizes[colAxis])] as const;
  const grown: Partial<Record<Size, number>> = {};
  for (const axis of [0, 1] as const) {
    const size = SIZES[tensor][axis];
    if (over[axis] > 0 && size) grown[size] = ends[axis];
  }
  const grows = [0, 1].every((axis) => over[axis as 0 | 1] === 0 || SIZES[tensor][axis as 0 | 1] !== null);
  return { row: position[rowAxis], col: position[colAxis], over, grown: grows ? grown : null };
}

/** Pastes a block. Values that do not fit are left out, unless `grows`. `dy`: the values of dy in this problem. */
export function editBlock(
  problem: Problem,
  layer: number,
  block: Block,
  grows: boolean,
  dy: Float32Array | null,
): EditResult {
  const { tensor: name, index, geometry, rows, cols, values } = block;
  const before = shownLayer(problem, layer).desc;
  const fit = fitOf(before, block);
  if (!fit) return refused(name, missingCellText(before, { tensor: name, indices: [index], geometry }));
  const sized = grows && fit.grown ? editDesc(problem, layer, problem, fit.grown) : { problem };
  if ('error' in sized) return sized;
  const { desc } = shownLayer(sized.problem, layer);
  const logical = logicalIn(desc, name);
  const start = positionAt(cellsIn(desc, { tensor: name, indices: [index], geometry })[0] ?? 0, logical);
  const [rowAxis, colAxis] = AXES[KIND_OF[name]];
  return editData(sized.problem, layer, name, dy, (data) => {
    for (let row = 0; start && row < rows; row += 1) {
      for (let col = 0; col < cols; col += 1) {
        const at: [number, number, number, number] = [...start];
        at[rowAxis] += row;
        at[colAxis] += col;
        const cell = indexAt(at, logical);
        if (cell !== null) data[cell] = values[row * cols + col] ?? 0;
      }
    }
  });
}
