/** An example problem. */
export interface Preset {
  readonly title: string;
  /** What it shows, one sentence. */
  readonly sentence: string;
  /** Problem and view state, as a link (link/write-link.ts). */
  readonly hash: string;
}

/** All examples, in display order. */
export const PRESET_GROUPS: readonly { readonly title: string; readonly presets: readonly Preset[] }[] = [
  {
    title: 'Basics and padding',
    presets: [
      {
        title: 'A bright corner',
        sentence:
          'Nine windows, and w finds the edge: y is large where x changes from dark to bright. The page starts with this problem.',
        hash: '',
      },
      {
        title: 'No padding',
        sentence: 'The output is smaller than the input, and the corners are read once.',
        hash: 'h=6&kh=3&stride=1&padding=valid&x=ramp&weights=countdown:12',
      },
      {
        title: 'Same size',
        sentence: 'Padding that gives as many outputs as inputs.',
        hash: 'h=6&kh=3&stride=1&padding=same&x=ramp&weights=countdown:12&dy=one_hot:14',
      },
      {
        title: 'Full',
        sentence: 'Every cell of x meets every weight, so all cells are read equally often.',
        hash: 'h=4&kh=3&stride=1&padding=full&x=ramp&weights=countdown:12',
      },
    ],
  },
  {
    title: 'Stride, dilation, channels',
    presets: [
      {
        title: 'Stride 2',
        sentence: 'The window skips every other position; the gradient of x has four interleaved patterns.',
        hash: 'h=8&kh=4&stride=2&padding=1&x=ramp&weights=countdown:16',
      },
      {
        title: 'Dilation 2',
        sentence: 'The window has gaps: 3 × 3 weights span 5 × 5 cells.',
        hash: 'h=8&kh=3&stride=1&dilation=2&padding=same&x=ramp&weights=countdown:12&dy=one_hot:27',
      },
      {
        title: 'Depthwise',
        sentence: 'One filter for each channel: no sum over channels.',
        hash: 'h=5&kh=3&stride=1&padding=1&c=3&k=3&groups=3&x=random:1&weights=random:2&dy=one_hot:36',
      },
      {
        title: '1 × 1',
        sentence: 'A window of one cell mixes only channels: the im2col matrix is x itself.',
        hash: 'h=4&kh=1&stride=1&padding=0&c=3&k=2&x=random:1&weights=random:2&dy=one_hot:10',
      },
      {
        title: 'Nothing square',
        sentence: 'Different sizes, strides and paddings on each axis and side.',
        hash: 'h=6&w=9&kh=2&kw=3&stride=1x2&padding=0,1,2,0&x=ramp&weights=countdown:6',
      },
    ],
  },
  {
    title: 'Surprises',
    presets: [
      {
        title: 'Cells never read',
        sentence:
          'Stride 2 leaves the last row and column over: their gradient is exactly 0. 7 × 7 gives the same output as 8 × 8.',
        hash: 'h=8&kh=3&stride=2&padding=0&x=ramp&weights=countdown:12',
      },
      {
        title: 'Checkerboard',
        sentence: 'Stride 2 does not divide 3 weights: with dy and w all 1, dx alternates 1-2-1-2 and 2-4-2-4.',
        hash: 'h=9&kh=3&stride=2&padding=1&x=ones&weights=ones&dy=ones',
      },
      {
        title: 'Gridding',
        sentence: 'Stride and dilation share the factor 2: three of four cells are never read.',
        hash: 'h=9&kh=3&stride=2&dilation=2&padding=2&x=ramp&weights=ones&dy=ones',
      },
      {
        title: 'A stamp of w',
        sentence: 'A single 1 in dy stamps w into dx. The gradient adds such a stamp for every output.',
        hash: 'h=7&kh=3&stride=1&padding=1&x=ramp&weights=countdown:9&dy=one_hot:24',
      },
    ],
  },
  {
    title: 'Networks',
    presets: [
      {
        title: 'Four layers',
        sentence:
          'Convolution, ReLU, max pooling, convolution, squared error: the dy of each layer is the dx of the next.',
        hash: 'h=12&kh=3&x=random:1&weights=filter:outline&layer.2=relu&layer.3=max_pool;kernel:2&layer.4=conv;kh:3;kw:3;weights:random:3&dy=mse:0&mode=network',
      },
    ],
  },
  {
    title: 'Ten cases from the notebook',
    presets: [
      {
        title: '1 Basic',
        sentence: 'Four windows of x, four numbers in y. Small enough to check on paper.',
        hash: 'h=4&kh=3&x=ramp&weights=countdown:12',
      },
      {
        title: '2 Padding',
        sentence: 'With a ring of zeros the window reaches over the edge: y is as large as x.',
        hash: 'h=4&kh=3&padding=1&x=ramp&weights=countdown:12',
      },
      {
        title: '3 Stride',
        sentence: 'The window moves two cells at a time: 7 × 7 becomes 3 × 3.',
        hash: 'h=7&kh=3&stride=2&x=ramp&weights=countdown:12',
      },
      {
        title: '4 Padding and stride',
        sentence: 'Both at once: how often a cell is read, and so its gradient, differs from cell to cell.',
        hash: 'h=7&kh=3&stride=2&padding=1&x=ramp&weights=countdown:12',
      },
      {
        title: '5 Channels',
        sentence: 'Each sum covers three channels: 27 products make one number.',
        hash: 'h=4&kh=3&c=3&x=ramp&weights=countdown:30',
      },
      {
        title: '6 Channels and bias',
        sentence: 'The bias is added to every output, so its gradient is the sum of all of dy.',
        hash: 'h=4&kh=3&c=3&x=ramp&weights=countdown:30&bias=constant:10',
      },
      {
        title: '7 Filters',
        sentence: 'Four filters read the same windows: y has four channels, dx is summed over them.',
        hash: 'h=4&kh=3&c=3&k=4&x=ramp&weights=countdown:120',
      },
      {
        title: '8 Filters and bias',
        sentence: 'Each filter has its own bias.',
        hash: 'h=4&kh=3&c=3&k=4&x=ramp&weights=countdown:120&bias=constant:0~i16.CgBkAOgDECc',
      },
      {
        title: '9 A batch',
        sentence: 'Three images through the same filters: dw and db are summed over the batch.',
        hash: 'n=3&h=4&kh=3&c=3&k=4&x=ramp&weights=countdown:120&bias=constant:0~i16.CgBkAOgDECc',
      },
      {
        title: '10 All together',
        sentence: 'Three RGB images, four filters with biases, padding and stride.',
        hash: 'n=3&h=7&kh=3&c=3&k=4&stride=2&padding=1&x=ramp&weights=countdown:120&bias=constant:0~i16.CgBkAOgDECc',
      },
    ],
  },
];
