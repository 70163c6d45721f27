import { type ConvDesc, type Geometry, INPUTS, type InputName, KIND_OF, type TensorKind } from '../protocol/problem';
import { bShape, checkDesc, shapeOf, wShape, xShape } from '../protocol/shapes';
import { painted } from '../sources/dy-sources';
import { type FilterName, KERNEL_SIZE } from '../sources/generators';
import { generated, type InputTensor } from '../sources/inputs';
import { fill, indexAt, type Logical, logicalOf, positionAt } from '../sources/logical';
import type { SampleName } from '../sources/samples/draw-sample';
import {
  cellsIn,
  type EditResult,
  editData,
  editDesc,
  editSource,
  filterOf,
  fixedError,
  missingCellText,
  refused,
  withInput,
} from './edits';
import { endOf, inputOf, openOf, type Problem, problemOfLayer, withOpenLayer } from './problem';

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
export function editImage(problem: Problem, image: ImageInput): EditResult {
  const { h, w, channels, source } = image;
  const desc: ConvDesc = {
    ...openOf(problem).desc,
    ...{ n: 1, h, w, c: channels, k: channels, groups: channels, kh: KERNEL_SIZE, kw: KERNEL_SIZE },
    ...{ stride_h: 1, stride_w: 1, dilation_h: 1, dilation_w: 1, padding_mode: 'same' },
  };
  const error = checkDesc(desc);
  if (error) return { error };
  const filter = filterOf(problem);
  const name = filter === 'free' ? FIRST_FILTER : filter;
  return {
    problem: problemOfLayer(desc, {
      x: source.kind === 'sample' ? generated(source, 'pixels', desc.layout, xShape(desc)) : fileTensor(desc, source),
      w: generated({ kind: 'filter', name }, 'weights', desc.layout, wShape(desc)),
      b: null,
      dy: { kind: 'mse', target: null },
    }),
  };
}

/**
 * Changes the channels of the image in x; stride, padding and dilation stay. A depthwise convolution stays depthwise.
 * Any other keeps its number of filters, with groups = 1.
 */
export function editChannels(problem: Problem, image: ImageInput): EditResult {
  const { h, w, channels, source } = image;
  const { desc: before } = openOf(problem);
  const apart = before.groups === before.c && before.k === before.c;
  const sorted = apart ? { k: channels, groups: channels } : { groups: 1 };
  const sized = editDesc(problem, problem, { n: 1, h, w, c: channels, ...sorted });
  if ('error' in sized || source.kind === 'sample') return sized;
  return { problem: { ...sized.problem, x: fileTensor(openOf(sized.problem).desc, source) } };
}

/** True if the image has the size of x, as required of an image that a link names. */
export function isOfSize(problem: Problem, { h, w, channels }: Pick<ImageInput, 'h' | 'w' | 'channels'>): boolean {
  const { desc } = openOf(problem);
  return desc.n === 1 && desc.h === h && desc.w === w && desc.c === channels;
}

/** Loads an image into x and changes nothing else. */
export function editMissingImage(problem: Problem, image: ImageInput): EditResult {
  const { h, w, channels, source } = image;
  const { desc } = openOf(problem);
  if (!isOfSize(problem, image)) {
    const size = `${desc.h} × ${desc.w} with ${desc.c} channels`;
    return refused('x', `x is ${size}, but the image is ${h} × ${w} with ${channels}`);
  }
  if (source.kind === 'sample') return editSource(problem, 'x', source);
  return { problem: { ...problem, x: fileTensor(desc, source) } };
}

function fileTensor(
  desc: ConvDesc,
  { name, data }: { readonly name: string; readonly data: Float32Array },
): InputTensor {
  const shape = xShape(desc);
  const natural = (_n: number, i: number, j: number, c: number) => data[(i * desc.w + j) * desc.c + c] ?? 0;
  return {
    shape,
    data: desc.layout === 'nhwc' ? data : fill(logicalOf('pixels', desc.layout, shape), natural),
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
export function editNumbers(problem: Problem, { desc, tensors, name: from, removesBias }: ImportedTensors): EditResult {
  const sized = editDesc(problem, problem, desc);
  if ('error' in sized) return sized;
  let taken = removesBias ? withOpenLayer(sized.problem, { b: null }) : sized.problem;
  const { desc: now } = openOf(taken);
  const source = { kind: 'brought', name: from } as const;
  if (tensors.b && !inputOf(taken, 'b')) {
    taken = withInput(taken, 'b', generated(source, 'bias', now.layout, bShape(now)));
  }
  for (const name of INPUTS) {
    const fixed = tensors[name] && fixedError(taken, name);
    if (fixed) return fixed;
  }
  for (const name of ['x', 'w', 'b'] as const) {
    const [tensor, data] = [inputOf(taken, name), tensors[name]];
    if (!tensor || !data) continue;
    if (data.length !== tensor.data.length) return refused(name, countsText(name, tensor.data.length, data.length));
    taken = withInput(taken, name, { ...tensor, data, source, edited: false });
  }
  if (tensors.dy) {
    const shape = endOf(taken);
    const cells = shape.reduce((count, size) => count * size, 1);
    if (tensors.dy.length !== cells) return refused('dy', countsText('dy', cells, tensors.dy.length));
    taken = { ...taken, dy: painted(shape, tensors.dy) };
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
export function editBlock(problem: Problem, block: Block, grows: boolean, dy: Float32Array | null): EditResult {
  const { tensor: name, index, geometry, rows, cols, values } = block;
  const before = openOf(problem).desc;
  const fit = fitOf(before, block);
  if (!fit) return refused(name, missingCellText(before, { tensor: name, indices: [index], geometry }));
  const sized = grows && fit.grown ? editDesc(problem, problem, fit.grown) : { problem };
  if ('error' in sized) return sized;
  const { desc } = openOf(sized.problem);
  const logical = logicalIn(desc, name);
  const start = positionAt(cellsIn(desc, { tensor: name, indices: [index], geometry })[0] ?? 0, logical);
  const [rowAxis, colAxis] = AXES[KIND_OF[name]];
  return editData(sized.problem, name, dy, (data) => {
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
