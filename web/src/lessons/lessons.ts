import type { PresetId } from './presets';

/** What a preset opens, as a link: it can be shared, and what can be shared could be a preset. */
export interface Lesson {
  /** One sentence: what there is to see. */
  readonly hint: string;
  /** See link/fields.ts. */
  readonly hash: string;
}

export const LESSONS: Readonly<Record<PresetId, Lesson>> = {
  valid: {
    hint: 'No padding: the output is smaller than the input, and the corners are read once.',
    hash: 'h=6&kh=3&stride=1&padding=valid&x=ramp&weights=countdown:12',
  },
  same: {
    hint: 'As many outputs as inputs.',
    hash: 'h=6&kh=3&stride=1&padding=same&x=ramp&weights=countdown:12',
  },
  full: {
    hint: 'Every product of a pixel and a weight appears; every pixel is read equally often.',
    hash: 'h=4&kh=3&stride=1&padding=full&x=ramp&weights=countdown:12',
  },
  strided: {
    hint: 'Stride 2: the gradient of x falls into four interleaved patterns.',
    hash: 'h=8&kh=4&stride=2&padding=1&x=ramp&weights=countdown:16',
  },
  dilated: {
    hint: 'Dilation 2: the window has gaps, a 3 x 3 kernel spans 5 x 5 pixels.',
    hash: 'h=8&kh=3&stride=1&dilation=2&padding=same&x=ramp&weights=countdown:12',
  },
  depthwise: {
    hint: 'One filter for each channel: no sum over channels.',
    hash: 'h=5&kh=3&stride=1&padding=1&c=3&k=3&groups=3&x=random:1&weights=random:2',
  },
  pointwise: {
    hint: 'A 1 x 1 kernel mixes channels only: the im2col matrix is x itself.',
    hash: 'h=4&kh=1&stride=1&padding=0&c=3&k=2&x=random:1&weights=random:2',
  },
  asymmetric: {
    hint: 'Another size, stride and padding on each axis and side.',
    hash: 'h=6&w=9&kh=2&kw=3&stride=1x2&padding=0,1,2,0&x=ramp&weights=countdown:6',
  },
  remainder: {
    hint: 'The last row and column are never read: their gradient is exactly 0, and 7 x 7 gives the same output as 8 x 8.',
    hash: 'h=8&kh=3&stride=2&padding=0&x=ramp&weights=countdown:12',
  },
  checkerboard: {
    hint: 'Kernel 3 is no multiple of stride 2: with ones for dy and w, dx alternates 1-2-1-2 and 2-4-2-4.',
    hash: 'h=9&kh=3&stride=2&padding=1&x=ones&weights=ones&dy=ones',
  },
  gridding: {
    hint: 'Stride and dilation share the factor 2: three of four pixels are never read.',
    hash: 'h=9&kh=3&stride=2&dilation=2&padding=2&x=ramp&weights=ones&dy=ones',
  },
  stamp: {
    hint: 'A single 1 in dy stamps the kernel into dx: that is all that the gradient does, for every output at once.',
    hash: 'h=7&kh=3&stride=1&padding=1&x=ramp&weights=countdown:9&dy=one_hot:24',
  },
  'notebook-1': {
    hint: 'Basic.',
    hash: 'h=4&kh=3&x=ramp&weights=countdown:12',
  },
  'notebook-2': {
    hint: 'Padding.',
    hash: 'h=4&kh=3&padding=1&x=ramp&weights=countdown:12',
  },
  'notebook-3': {
    hint: 'Stride.',
    hash: 'h=7&kh=3&stride=2&x=ramp&weights=countdown:12',
  },
  'notebook-4': {
    hint: 'Padding and stride.',
    hash: 'h=7&kh=3&stride=2&padding=1&x=ramp&weights=countdown:12',
  },
  'notebook-5': {
    hint: 'Channels.',
    hash: 'h=4&kh=3&c=3&x=ramp&weights=countdown:30',
  },
  'notebook-6': {
    hint: 'Channels and bias.',
    hash: 'h=4&kh=3&c=3&x=ramp&weights=countdown:30&bias=constant:10',
  },
  'notebook-7': {
    hint: 'Filters.',
    hash: 'h=4&kh=3&c=3&k=4&x=ramp&weights=countdown:120',
  },
  'notebook-8': {
    hint: 'Filters and bias.',
    hash: 'h=4&kh=3&c=3&k=4&x=ramp&weights=countdown:120&bias=constant:0~i16.CgBkAOgDECc',
  },
  'notebook-9': {
    hint: 'Mini-batch and bias.',
    hash: 'n=3&h=4&kh=3&c=3&k=4&x=ramp&weights=countdown:120&bias=constant:0~i16.CgBkAOgDECc',
  },
  'notebook-10': {
    hint: 'RGB mini-batch, filters, padding, stride.',
    hash: 'n=3&h=7&kh=3&c=3&k=4&stride=2&padding=1&x=ramp&weights=countdown:120&bias=constant:0~i16.CgBkAOgDECc',
  },
};
