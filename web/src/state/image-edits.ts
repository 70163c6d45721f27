import type { ConvDesc } from '../protocol/problem';
import { checkDesc, wShape, xShape } from '../protocol/shapes';
import { type FilterName, KERNEL_SIZE } from '../sources/generators';
import { generated, type InputTensor } from '../sources/inputs';
import { fill, logicalOf } from '../sources/logical';
import type { SampleName } from '../sources/tensor-sources';
import { type EditResult, editDesc, editSource, filterOf, refused } from './edits';
import type { Problem } from './problem';

/** Edits that load an image into x. This module is loaded with the first image. */

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
    ...problem.desc,
    ...{ n: 1, h, w, c: channels, k: channels, groups: channels, kh: KERNEL_SIZE, kw: KERNEL_SIZE },
    ...{ stride_h: 1, stride_w: 1, dilation_h: 1, dilation_w: 1, padding_mode: 'same' },
  };
  const error = checkDesc(desc);
  if (error) return { error };
  const filter = filterOf(problem);
  const name = filter === 'free' ? FIRST_FILTER : filter;
  return {
    problem: {
      desc,
      x: source.kind === 'sample' ? generated(source, 'pixels', desc.layout, xShape(desc)) : fileTensor(desc, source),
      w: generated({ kind: 'filter', name }, 'weights', desc.layout, wShape(desc)),
      b: null,
      dy: { kind: 'mse', target: null },
      algorithms: {},
    },
  };
}

/**
 * Changes the channels of the image in x; stride, padding and dilation stay. A depthwise convolution stays depthwise.
 * Any other keeps its number of filters, with groups = 1.
 */
export function editChannels(problem: Problem, image: ImageInput): EditResult {
  const { h, w, channels, source } = image;
  const before = problem.desc;
  const apart = before.groups === before.c && before.k === before.c;
  const sorted = apart ? { k: channels, groups: channels } : { groups: 1 };
  const sized = editDesc(problem, problem, { n: 1, h, w, c: channels, ...sorted });
  if ('error' in sized || source.kind === 'sample') return sized;
  return { problem: { ...sized.problem, x: fileTensor(sized.problem.desc, source) } };
}

/** True if the image has the size of x, as required of an image that a link names. */
export const isOfSize = ({ desc }: Problem, { h, w, channels }: Pick<ImageInput, 'h' | 'w' | 'channels'>): boolean =>
  desc.n === 1 && desc.h === h && desc.w === w && desc.c === channels;

/** Loads an image into x and changes nothing else. */
export function editMissingImage(problem: Problem, image: ImageInput): EditResult {
  const { h, w, channels, source } = image;
  const { desc } = problem;
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
