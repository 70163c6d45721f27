import { type Lesson, pins, sizes } from './lesson';

const TWO = 'h=4&kh=3&c=2&x=random:4&weights=random:2&dy=ones';
const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';
const MEAN = 'h=5&kh=3&x=corner&weights=filter:sobel_x&dy=mse:0';
const WIDE = 'h=7&kh=3&x=ones&weights=ones&dy=ones';
const DEEP = 'h=4&kh=3&c=4&k=4&x=random:4&weights=random:2&dy=ones';

export const channels: Lesson = {
  id: 'channels',
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
      task: 'Show channel 1 of x: choose the second thumbnail below it.',
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
      link: `${TWO}&cell=y.0`,
      words: [
        'The window now covers 3 × 3 cells in both channels: 18 products, and one sum. The channels do not stay separate.',
        'Channel 0 gives 2 and channel 1 gives −6, so `y[0,0] = 2 − 6 = −4`. The panel below lists both.',
      ],
      formula: 'y[i,j] = Σ{p,q,c} x[i+p,j+q,c] · w[p,q,c]',
      task: 'Choose the bottom right cell of y and compare what the two channels give there.',
      solution: 'cell=y.3',
      outcome: 'Their sum is `y[1,1] = −31`. y has only one channel, however many x has.',
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
      task: 'Give the layer a second filter: set filters to 2.',
      solution: 'k=2',
      outcome:
        'y has two channels now, one for each filter. w has 3 · 3 · 2 · 2 = 36 weights: rows, columns, channels, filters. The output’s channels are the next layer’s input.',
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
      task: 'Set the kernel to 1.',
      solution: 'kh=1&kw=1',
      outcome:
        'y is 4 × 4, as large as x. w has 1 · 1 · 2 · 2 = 4 weights: a small matrix that is applied at every pixel.',
      notes: 'Also called a 1 × 1 convolution. The lesson on groups puts it behind a depthwise layer.',
    },
  ],
};

export const biasBatch: Lesson = {
  id: 'bias-batch',
  title: 'Bias, batch and the factor everyone forgets',
  sentence: 'What to sum over the images of a batch, and where to divide by N.',
  steps: [
    {
      title: 'One more number',
      link: `${FOUR}&cell=y.0`,
      words: [
        'Each filter may have a *bias*, b: one number that is added to every cell of its y. It moves all values up or down. Without it an all-zero input always gives 0.',
      ],
      formula: 'y[i,j] = b + Σ{p,q} x[i+p,j+q] · w[p,q]',
      task: 'Turn on “bias b” in the controls of w.',
      goal: ({ problem: { b } }) => b?.source.kind === 'constant',
      solution: 'bias=ones',
      points: ['controls:w'],
      outcome: 'b is 1, and every cell of y has grown by 1: `y[0,0] = 148`, which was 147.',
      notes: 'Layers before a batch normalization have no bias: the normalization would subtract it again.',
    },
    {
      title: 'The gradient of the bias',
      link: `${FOUR}&bias=ones&cell=y.0`,
      words: [
        'If b grows by 1, every cell of y grows by 1, and each changes the loss by its dy. So the gradient of the bias is the sum of dy.',
      ],
      task: 'Predict db for dy = 1, 2, 3, 4, then choose the cell of db.',
      goal: pins('db'),
      solution: 'cell=db.0',
      outcome: '`db[0] = 1 + 2 + 3 + 4 = 10`. It does not depend on x or w.',
      notes: 'Think of b as a weight with the constant input 1: then db is the dw of that weight.',
    },
    {
      title: 'Several images at once',
      link: 'h=4&kh=3&x=ramp&weights=countdown:9&bias=ones&dy=ones&cell=dw.0',
      words: [
        'Networks are trained with several images at a time, a *batch*. Every image uses the same w and b. In y, dy and dx each image has its own planes.',
        'Here is one image, dy is 1 everywhere, and `db[0] = 4`.',
      ],
      task: 'Set batch to 2.',
      solution: 'n=2',
      outcome:
        '`db[0] = 8` now. dw and db are as large as before, 3 × 3 and one number: they are sums over both images. All images share one w, so their gradients add up.',
      notes:
        'A common mistake: dw is computed per image and only the last is used, or dw gets a batch axis. Ask for its shape.',
    },
    {
      title: 'Where to divide by N',
      link: `${MEAN}&cell=dy.6`,
      words: [
        'The loss is a mean: it is divided by N, the number of all cells of y. That factor is already in dy: `dy[2,0] = 4/9`. So it is in everything that is computed from dy.',
        'So dw and db are sums. Do not divide them again: neither by the batch size nor by the number of positions.',
      ],
      task: 'Set batch to 2 and look at the same cell of dy.',
      solution: 'n=2',
      outcome:
        'N is 18 now, and `dy[2,0] = 4/18`: half as large. dw adds up two images of half the size each. So with equal images it stays the same: `dw[2,2] = 16/9`.',
      notes:
        'If the loss is a sum, dw grows with the batch. If dw is divided by the batch size again, it shrinks. Both train, with another learning rate, so the mistake often stays unnoticed. The gradient check finds it at once.',
    },
  ],
};

export const groups: Lesson = {
  id: 'groups',
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
      task: 'Set the dilation to 2.',
      solution: 'dilation=2',
      outcome:
        'The window reads rows 0, 2 and 4. It covers 5 of 7 rows, so y is 3 × 3; without dilation it was 5 × 5. Each sum still has nine terms: `y[0,0] = 9`.',
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
      task: 'Set groups to 2.',
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
      task: 'Set groups to 4.',
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
        'The depthwise layer has 36 weights. How many has the pointwise layer?',
      ],
      task: 'Set the kernel to 1; groups stays 1.',
      goal: sizes({ kh: 1, kw: 1, groups: 1 }),
      solution: 'kh=1&kw=1',
      outcome:
        '1 · 1 · 4 · 4 = 16 weights. 36 + 16 = 52 in place of 144; with 256 channels there are nearly nine times fewer. Networks for phones use these layers.',
      notes:
        'MobileNet (2017) made it popular. It saves more multiplications than time: a depthwise layer does so little work per number that memory is the limit.',
    },
  ],
};
