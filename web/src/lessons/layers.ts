import { openOf } from '../state/problem';
import type { Lesson } from './lesson';

const TWO = 'h=4&kh=3&c=2&x=random:4&weights=random:2&dy=ones';
const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';
const MEAN = 'h=5&kh=3&x=corner&weights=filter:sobel_x&dy=mse:0';
const WIDE = 'h=7&kh=3&dilation=2&x=ramp&weights=ones&dy=ones';
const DEEP = 'h=4&kh=3&c=4&k=4&x=random:4&weights=random:2&dy=ones';

export const channels: Lesson = {
  id: 'channels',
  title: 'Channels and filters',
  sentence: 'Images have colors and layers have many outputs: what is summed, and what stays separate.',
  minutes: 7,
  gradients: [],
  steps: [
    {
      title: 'An image in planes',
      link: `${TWO}&cell=y.0`,
      words: [
        'A color image has three numbers per pixel: how much red, green and blue. Each of these planes is a *channel* of x. Deeper in a network there are 64 or 512 of them.',
        'Here x has two channels. You see one at a time; the thumbnails below x show both.',
      ],
      task: 'Show channel 1 of x: choose the second thumbnail below it.',
      later: 'y.3',
      goal: ({ look }) => look.focus.c === 1,
      solution: 'slice=c1',
      points: ['panel:x'],
      outcome:
        'w changed along with x. The kernel has a plane of weights for each channel, and each plane multiplies only its own channel.',
      notes:
        'Channels are counted from 0 as well. A gray image has one channel, so the lessons before did not need the word.',
    },
    {
      title: 'All channels go into one sum',
      link: TWO,
      words: [
        'The window now covers 3 × 3 cells in both channels: 18 products, and one sum. The channels do not stay separate.',
        'At the top left channel 0 gives 2 and channel 1 gives −6, so `y[0,0] = 2 − 6 = −4`. A filter makes one channel of y, however many x has.',
      ],
      formula: 'y[i,j] = Σ{p,q,c} x[i+p,j+q,c] · w[p,q,c]',
      task: 'At the bottom right channel 0 gives −17 and channel 1 gives −14. What is `y[1,1]`?',
      asks: 'y.3',
      outcome: '`y[1,1] = −17 − 14 = −31`. Below the lesson, its 18 products are listed by channel.',
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
      task: 'How many weights has w with two filters? The right answer adds the second filter.',
      asks: { count: 'weights in w', is: 36 },
      hint: 'Multiply rows, columns, channels and filters.',
      solution: 'k=2',
      outcome:
        'y has two channels now, one for each filter. w has 3 · 3 · 2 · 2 = 36 weights: rows, columns, channels, filters. The output’s channels are the next layer’s input.',
      notes:
        'The page calls the number of filters k and the number of input channels c. Frameworks write out_channels and in_channels.',
    },
    {
      title: 'A window of a single pixel',
      link: 'h=4&kh=1&c=2&k=2&x=random:4&weights=countdown:4&dy=ones',
      words: [
        'A kernel can be 1 × 1, as now. Then y does not depend on neighbors, but the weights still mix the channels of one pixel. Such a layer is called *pointwise*. It is a cheap way to change the number of channels.',
        'The pixel x[1,1] is 2 in channel 0 and 1 in channel 1. Filter 0 has the weights 4 and 2 for them.',
      ],
      task: 'What is `y[1,1,0]`, filter 0 at that pixel?',
      asks: 'y.10',
      outcome:
        '`y[1,1,0] = 2·4 + 1·2 = 10`. w has 1 · 1 · 2 · 2 = 4 weights: a small matrix that is applied at every pixel. y is 4 × 4, as large as x.',
      notes: 'Also called a 1 × 1 convolution. The lesson on groups puts it behind a depthwise layer.',
    },
  ],
};

export const biasBatch: Lesson = {
  id: 'bias-batch',
  title: 'Bias, batch and the factor everyone forgets',
  sentence: 'What to sum over the images of a batch, and where to divide by N.',
  minutes: 7,
  gradients: ['dw', 'db', 'dy'],
  steps: [
    {
      title: 'One more number',
      link: `${FOUR}&cell=y.0`,
      gradients: [],
      words: [
        'Each filter may have a *bias*, b: one number that is added to every cell of its y. It moves all values up or down. Without it an all-zero input always gives 0.',
      ],
      formula: 'y[i,j] = b + Σ{p,q} x[i+p,j+q] · w[p,q]',
      task: 'Turn on “bias b” in the controls of w.',
      goal: ({ problem }) => openOf(problem).b?.source.kind === 'constant',
      solution: 'bias=ones',
      points: ['controls:w'],
      outcome: 'b is 1, and every cell of y has grown by 1: `y[0,0] = 148`, which was 147.',
      notes: 'Layers before a batch normalization have no bias: the normalization would subtract it again.',
    },
    {
      title: 'The gradient of the bias',
      link: `${FOUR}&bias=ones`,
      words: [
        'If b grows by 1, every cell of y grows by 1, and each changes the loss by its dy. So the gradient of the bias is the sum of dy.',
      ],
      task: 'dy is 1, 2, 3, 4. What is `db[0]`?',
      asks: 'db.0',
      outcome: '`db[0] = 1 + 2 + 3 + 4 = 10`. It does not depend on x or w.',
      notes: 'Think of b as a weight with the constant input 1: then db is the dw of that weight.',
    },
    {
      title: 'Several images at once',
      link: 'h=4&kh=3&n=2&x=ramp&weights=countdown:9&bias=ones&dy=ones',
      words: [
        'Networks are trained with several images at a time, a *batch*. Every image uses the same w and b. In y, dy and dx each image has its own planes.',
        'Here are two images, and dy is 1 everywhere. With one image and this dy, db would be 4: the sum of four cells of dy.',
      ],
      task: 'What is `db[0]` with both images?',
      asks: 'db.0',
      outcome:
        '`db[0] = 4 + 4 = 8`. dw and db are as large as before, 3 × 3 and one number: they are sums over both images. All images share one w, so their gradients add up.',
      notes:
        'A common mistake: dw is computed per image and only the last is used, or dw gets a batch axis. Ask for its shape.',
    },
    {
      title: 'Where to divide by N',
      link: `${MEAN}&n=2`,
      words: [
        'The loss is a mean: it is divided by N, the number of all cells of y (not the number of images). That factor is already in dy, so it is in everything that is computed from dy.',
        'So dw and db are sums. Do not divide them again: neither by the batch size nor by the number of positions.',
        'Here are two images of 9 cells each. With a batch, the first index of a cell is its image: y[0,2,0] is row 2, column 0 of image 0. It is 4, and its target 0.',
      ],
      task: 'With one image its dy was 4/9 = 0.444. What is `dy[0,2,0]` now (three digits)?',
      asks: 'dy.6',
      hides: 'dy,dx,dw,db',
      outcome:
        'N is 18 now, and `dy[0,2,0] = 4/18`, about 0.222: half as large. dw adds up two images of half the size each. So with equal images it stays the same: `dw[2,2] = 16/9`.',
      notes:
        'PyTorch’s mean squared error has no ½: its dy is 2(y − t)/M, with M for the number of cells, because N is the batch size there. If the loss is a sum, dw grows with the batch. If dw is divided by the batch size again, it shrinks. Both train, with another learning rate, so the mistake often stays unnoticed. The gradient check finds it at once.',
    },
  ],
};

export const groups: Lesson = {
  id: 'groups',
  title: 'Dilation, groups, depthwise',
  sentence:
    'Two ways to save work: a kernel with gaps that covers more of x, and filters that read only some channels.',
  minutes: 7,
  gradients: [],
  steps: [
    {
      title: 'A kernel with gaps',
      link: WIDE,
      words: [
        '*Dilation* pulls the weights apart: with dilation 2, as now, the window reads every second cell. The kernel still has nine weights but covers five rows in place of three. So it covers more of x for the same work.',
        'All weights are 1 here, so each cell of y is the sum of the cells that its window reads.',
      ],
      formula: 'reach = d · (kh − 1) + 1',
      task: 'The first window reads 0, 2, 4, then 14, 16, 18, then 28, 30, 32. What is `y[0,0]`?',
      asks: 'y.0',
      outcome:
        '`y[0,0] = 6 + 48 + 90 = 144`: still nine terms. The window covers 5 of 7 rows, so y is 3 × 3; without dilation it would be 5 × 5.',
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
      task: 'How many weights has w with two groups? The right answer sets them.',
      asks: { count: 'weights in w', is: 72 },
      hint: 'Each filter reads two channels in place of four.',
      solution: 'groups=2',
      outcome:
        'Filters 0 and 1 read channels 0 and 1, filters 2 and 3 read channels 2 and 3. That makes 3 · 3 · 2 · 4 = 72 weights: half as many, and half the work.',
      notes:
        'AlexNet introduced groups in 2012 because it did not fit on one graphics card. Now they are used to save work.',
    },
    {
      title: 'One channel per filter',
      link: `${DEEP}&groups=2&cell=y.0`,
      words: [
        'With as many groups as channels, every filter reads a single channel: *depthwise* convolution. It mixes neighbors but not channels.',
      ],
      task: 'How many weights has w with four groups? The right answer sets them.',
      asks: { count: 'weights in w', is: 36 },
      hint: 'Each of the four filters reads one channel.',
      solution: 'groups=4',
      outcome:
        '3 · 3 · 1 · 4 = 36 weights. Channel 0 of y comes from channel 0 of x alone, and so on. The gradients of the channels are separate in the same way.',
      notes: 'The image examples of this page are depthwise: a blur is applied to red, green and blue separately.',
    },
    {
      title: 'Two cheap layers for an expensive one',
      link: `${DEEP}&cell=y.0`,
      words: [
        'A depthwise layer mixes neighbors, a pointwise layer (1 × 1) mixes channels. One after the other, they nearly replace the full layer. Together they are called *depthwise separable*.',
        'The depthwise layer of the step before has 36 weights.',
      ],
      task: 'How many weights has the pointwise layer, with four channels and four filters? The right answer shows it.',
      asks: { count: 'weights in w', is: 16 },
      hint: 'Multiply rows, columns, channels and filters: two of them are 1.',
      solution: 'kh=1&kw=1',
      outcome:
        '1 · 1 · 4 · 4 = 16 weights. 36 + 16 = 52 in place of 144; with 256 channels there are nearly nine times fewer. Networks for phones use these layers.',
      notes:
        'MobileNet (2017) made it popular. It saves more multiplications than time: a depthwise layer does so little work per number that memory is the limit.',
    },
  ],
};
