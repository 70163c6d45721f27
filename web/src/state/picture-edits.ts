import type { ConvDesc } from '../protocol/problem';
import { checkDesc, wShape, xShape } from '../protocol/shapes';
import { type FilterName, KERNEL_SIZE } from '../sources/filters';
import { generated, type InputTensor } from '../sources/inputs';
import { fill, logicalOf } from '../sources/logical';
import type { SampleName } from '../sources/samples/names';
import { type Edited, editDesc, editSource, filterOf, refused } from './edits';
import type { Problem } from './problem';

/** Edits that put a picture into x. They come with the first one. */

/** An image of the page: [1, h, w, channels] values 0..1, whatever the problem's layout. */
export interface Picture {
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
 * Makes the picture the input: one filter for each channel (depthwise), stride 1, `same`, no bias. dy becomes the
 * gradient of mse to 0, that is a multiple of y: with ones, dx of a filter that sums to 0 would be 0 all over.
 */
export function editPicture(problem: Problem, picture: Picture): Edited {
  const { h, w, channels, source } = picture;
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
 * The picture that x is, with other channels; how w moves stays. Filters that each had a channel of their own have one
 * again; others are as many as before, and all see all channels.
 */
export function editColours(problem: Problem, picture: Picture): Edited {
  const { h, w, channels, source } = picture;
  const before = problem.desc;
  const apart = before.groups === before.c && before.k === before.c;
  const sorted = apart ? { k: channels, groups: channels } : { groups: 1 };
  const sized = editDesc(problem, problem, { n: 1, h, w, c: channels, ...sorted });
  if ('error' in sized || source.kind === 'sample') return sized;
  return { problem: { ...sized.problem, x: fileTensor(sized.problem.desc, source) } };
}

/** Whether the picture is of the size that x has, as the one that a link names must be. */
export const isOfSize = ({ desc }: Problem, { h, w, channels }: Pick<Picture, 'h' | 'w' | 'channels'>): boolean =>
  desc.n === 1 && desc.h === h && desc.w === w && desc.c === channels;

/** Puts a picture into x, everything else as it is. */
export function editMissingPicture(problem: Problem, picture: Picture): Edited {
  const { h, w, channels, source } = picture;
  const { desc } = problem;
  if (!isOfSize(problem, picture)) {
    const size = `${desc.h} × ${desc.w} with ${desc.c} channels`;
    return refused('x', `x is ${size}, the picture ${h} × ${w} with ${channels}`);
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
