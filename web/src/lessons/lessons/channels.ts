import type { Lesson } from '../lesson';

const TWO = 'h=4&kh=3&c=2&x=random:4&weights=random:2&dy=ones';

export const lesson: Lesson = {
  order: 4,
  title: 'Channels and filters',
  sentence: 'Images have colors and layers have many outputs: what is summed, and what stays separate.',
  steps: [
    {
      title: 'An image in planes',
      link: `${TWO}&cell=y.0`,
      words: [
        'A color image has three numbers per pixel: how much red, green and blue. Each of these planes is a *channel* of x. Deeper in a network there are 64 or 512 of them.',
        'Here x has two channels. You see one at a time; the thumbnails below x show both.',
      ],
      task: {
        words: 'Show channel 1 of x: choose the second thumbnail below it.',
        goal: { kind: 'slice', is: { c: 1 } },
        solution: 'slice=c1',
        outcome:
          'w changed along with x. The kernel has a plane of weights for each channel, and each plane multiplies only its own channel.',
      },
      points: ['panel:x'],
      notes:
        'Channels are counted from 0 as well. A gray image has one channel, so the lessons before did not need the word.',
    },
    {
      title: 'All channels go into one sum',
      link: `${TWO}&cell=y.0`,
      words: [
        'The window now covers 3 × 3 cells in both channels: 18 products, and one sum. The channels do not stay separate.',
        'Channel 0 gives 2 and channel 1 gives −6, so `y[0,0] = 2 − 6 = −4`. The panel below lists both.',
      ],
      formula: 'y[i,j] = Σ{p,q,c} x[i+p,j+q,c] · w[p,q,c]',
      task: {
        words: 'Choose the bottom right cell of y and compare what the two channels give there.',
        goal: { kind: 'cell', among: ['y.3'] },
        solution: 'cell=y.3',
        outcome: 'Their sum is `y[1,1] = −31`. y has only one channel, however many x has.',
      },
      points: ['panel:y'],
      claims: [{ tensor: 'y', at: [0, 0], value: -4 }],
      notes:
        'A common mistake in exams: “the kernel is 3 × 3”. It is 3 × 3 × 2 here. You never choose its depth: it is the depth of the input.',
    },
    {
      title: 'Several filters',
      link: `${TWO}&cell=y.0`,
      words: [
        'One kernel detects one pattern. A *filter* is a kernel with all its planes (and its bias, which comes later). A layer has several filters, and each computes its own channel of y.',
        'All filters read the same windows.',
      ],
      task: {
        words: 'Give the layer a second filter: set filters to 2.',
        goal: { kind: 'sizes', are: { k: 2 } },
        solution: 'k=2',
        outcome:
          'y has two channels now, one for each filter. w has 3 · 3 · 2 · 2 = 36 weights: rows, columns, channels, filters. The output’s channels are the next layer’s input.',
      },
      points: ['field:k'],
      notes:
        'The page calls the number of filters k and the number of input channels c. Frameworks write out_channels and in_channels.',
    },
    {
      title: 'A window of a single pixel',
      link: `${TWO}&k=2&cell=y.0`,
      words: [
        'What if the kernel is 1 × 1? Then y does not depend on neighbors, but the weights still mix the channels of one pixel.',
        'Such a layer is called *pointwise*. It is a cheap way to change the number of channels.',
      ],
      task: {
        words: 'Set the kernel to 1.',
        goal: { kind: 'sizes', are: { kh: 1, kw: 1 } },
        solution: 'kh=1&kw=1',
        outcome:
          'y is 4 × 4, as large as x. w has 1 · 1 · 2 · 2 = 4 weights: a small matrix that is applied at every pixel.',
        claims: [{ tensor: 'y', size: [4, 4] }],
      },
      points: ['field:kh'],
      notes: 'Also called a 1 × 1 convolution. The lesson on groups puts it behind a depthwise layer.',
    },
  ],
};
