import type { Lesson } from '../lesson';

const WIDE = 'h=7&kh=3&x=ones&weights=ones&dy=ones';
const DEEP = 'h=4&kh=3&c=4&k=4&x=random:4&weights=random:2&dy=ones';

export const lesson: Lesson = {
  place: 14,
  title: 'Dilation, groups, depthwise',
  sentence: 'Two ways to save: a kernel with holes that sees further, and filters that see only some channels.',
  steps: [
    {
      title: 'A kernel with holes',
      link: `${WIDE}&cell=y.0`,
      words: [
        '*Dilation* pulls the weights apart: with dilation 2 every second cell under the window is read. The kernel still has nine weights but reaches over five rows in place of three.',
        'So it sees further for the same work.',
      ],
      formula: 'reach = d · (kh − 1) + 1',
      task: {
        words: 'Set the dilation to 2.',
        goal: { kind: 'sizes', are: { dilation_h: 2, dilation_w: 2 } },
        solution: 'dilation=2',
        seen: 'The window reads rows 0, 2 and 4. It reaches 5 of 7 rows, so y is 3 × 3; without dilation it was 5 × 5. Each sum still has nine terms: `y[0,0] = 9`.',
        claims: [{ tensor: 'y', size: [3, 3] }],
      },
      points: ['field:dilation_h'],
      notes:
        'Also called atrous convolution. Stride and dilation change places in dw: dy is spread by the stride and moves on by the dilation.',
    },
    {
      title: 'Everything with everything',
      link: `${DEEP}&cell=y.0`,
      words: [
        'Here are four channels and four filters. Every filter sees every channel: w has 3 · 3 · 4 · 4 = 144 weights.',
        '*Groups* divide the channels and the filters alike; a filter then sees only the channels of its own group.',
      ],
      task: {
        words: 'Set groups to 2.',
        goal: { kind: 'sizes', are: { groups: 2 } },
        solution: 'groups=2',
        seen: 'Filters 0 and 1 see channels 0 and 1, filters 2 and 3 see channels 2 and 3: 3 · 3 · 2 · 4 = 72 weights, half as many, and half the work.',
      },
      points: ['field:groups'],
      notes:
        'Groups were invented in 2012 because AlexNet did not fit on one graphics card. Now they are used to save work.',
    },
    {
      title: 'Each channel by itself',
      link: `${DEEP}&groups=2&cell=y.0`,
      words: [
        'With as many groups as channels, every filter sees a single channel: *depthwise* convolution. Neighbours are mixed, channels are not.',
      ],
      task: {
        words: 'Set groups to 4.',
        goal: { kind: 'sizes', are: { groups: 4 } },
        solution: 'groups=4',
        seen: '3 · 3 · 1 · 4 = 36 weights. Channel 0 of y comes from channel 0 of x alone, and so on; the gradients keep apart in the same way.',
      },
      points: ['field:groups'],
      notes: 'The page’s own picture examples are depthwise: a blur is applied to red, green and blue, each by itself.',
    },
    {
      title: 'Two cheap layers for a dear one',
      link: `${DEEP}&cell=y.0`,
      words: [
        'A depthwise layer mixes neighbours, a pointwise one (1 × 1) mixes channels. One after the other they do nearly what the full layer does. Together they are called *depthwise separable*.',
        'The depthwise one has 36 weights. And the pointwise one?',
      ],
      task: {
        words: 'Set the kernel to 1; groups stays 1.',
        goal: { kind: 'sizes', are: { kh: 1, kw: 1, groups: 1 } },
        solution: 'kh=1&kw=1',
        seen: '1 · 1 · 4 · 4 = 16 weights. 36 + 16 = 52 in place of 144; with 256 channels the saving is nearly ninefold. Networks for phones are built of this.',
      },
      points: ['field:kh'],
      notes:
        'MobileNet (2017) made it known. It saves multiplications more than time: a depthwise layer has so little work per number that memory is the limit.',
    },
  ],
};
