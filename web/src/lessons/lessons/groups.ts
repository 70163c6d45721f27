import type { Lesson } from '../lesson';

const WIDE = 'h=7&kh=3&x=ones&weights=ones&dy=ones';
const DEEP = 'h=4&kh=3&c=4&k=4&x=random:4&weights=random:2&dy=ones';

export const lesson: Lesson = {
  order: 14,
  title: 'Dilation, groups, depthwise',
  sentence:
    'Two ways to save work: a kernel with gaps that covers more of x, and filters that read only some channels.',
  steps: [
    {
      title: 'A kernel with gaps',
      link: `${WIDE}&cell=y.0`,
      words: [
        '*Dilation* pulls the weights apart: with dilation 2 the window reads every second cell. The kernel still has nine weights but covers five rows in place of three.',
        'So it covers more of x for the same work.',
      ],
      formula: 'reach = d · (kh − 1) + 1',
      task: {
        words: 'Set the dilation to 2.',
        goal: { kind: 'sizes', are: { dilation_h: 2, dilation_w: 2 } },
        solution: 'dilation=2',
        outcome:
          'The window reads rows 0, 2 and 4. It covers 5 of 7 rows, so y is 3 × 3; without dilation it was 5 × 5. Each sum still has nine terms: `y[0,0] = 9`.',
        claims: [{ tensor: 'y', size: [3, 3] }],
      },
      points: ['field:dilation_h'],
      notes:
        'Also called atrous convolution. In dw, stride and dilation change places: the stride inserts zeros into dy, and dy moves on by the dilation.',
    },
    {
      title: 'Every filter reads every channel',
      link: `${DEEP}&cell=y.0`,
      words: [
        'Here are four channels and four filters. Every filter reads every channel: w has 3 · 3 · 4 · 4 = 144 weights.',
        '*Groups* divide the channels and the filters in the same way. A filter then reads only the channels of its own group.',
      ],
      task: {
        words: 'Set groups to 2.',
        goal: { kind: 'sizes', are: { groups: 2 } },
        solution: 'groups=2',
        outcome:
          'Filters 0 and 1 read channels 0 and 1, filters 2 and 3 read channels 2 and 3. That makes 3 · 3 · 2 · 4 = 72 weights: half as many, and half the work.',
      },
      points: ['field:groups'],
      notes:
        'AlexNet introduced groups in 2012 because it did not fit on one graphics card. Now they are used to save work.',
    },
    {
      title: 'One channel per filter',
      link: `${DEEP}&groups=2&cell=y.0`,
      words: [
        'With as many groups as channels, every filter reads a single channel: *depthwise* convolution. It mixes neighbors but not channels.',
      ],
      task: {
        words: 'Set groups to 4.',
        goal: { kind: 'sizes', are: { groups: 4 } },
        solution: 'groups=4',
        outcome:
          '3 · 3 · 1 · 4 = 36 weights. Channel 0 of y comes from channel 0 of x alone, and so on. The gradients of the channels are separate in the same way.',
      },
      points: ['field:groups'],
      notes: 'The image examples of this page are depthwise: a blur is applied to red, green and blue separately.',
    },
    {
      title: 'Two cheap layers for an expensive one',
      link: `${DEEP}&cell=y.0`,
      words: [
        'A depthwise layer mixes neighbors, a pointwise layer (1 × 1) mixes channels. One after the other, they nearly replace the full layer. Together they are called *depthwise separable*.',
        'The depthwise layer has 36 weights. How many has the pointwise layer?',
      ],
      task: {
        words: 'Set the kernel to 1; groups stays 1.',
        goal: { kind: 'sizes', are: { kh: 1, kw: 1, groups: 1 } },
        solution: 'kh=1&kw=1',
        outcome:
          '1 · 1 · 4 · 4 = 16 weights. 36 + 16 = 52 in place of 144; with 256 channels there are nearly nine times fewer. Networks for phones use these layers.',
      },
      points: ['field:kh'],
      notes:
        'MobileNet (2017) made it popular. It saves more multiplications than time: a depthwise layer does so little work per number that memory is the limit.',
    },
  ],
};
