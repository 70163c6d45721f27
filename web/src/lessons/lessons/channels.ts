import type { Lesson } from '../lesson';

const TWO = 'h=4&kh=3&c=2&x=random:4&weights=random:2&dy=ones';

export const lesson: Lesson = {
  place: 4,
  title: 'Channels and filters',
  sentence: 'Pictures have colours and layers have many outputs: what is added up, and what stays apart.',
  steps: [
    {
      title: 'A picture in planes',
      link: `${TWO}&cell=y.0`,
      words: [
        'A colour picture has three numbers at each place: how much red, green and blue. Each of these planes is a *channel* of x. Deeper in a network there are 64 or 512 of them.',
        'Here x has two channels. One is shown at a time; below x stand small pictures of both.',
      ],
      task: {
        words: 'Show channel 1 of x: choose the second small picture below it.',
        goal: { kind: 'slice', is: { c: 1 } },
        solution: 'slice=c1',
        seen: 'w has changed along with x: the kernel has a plane of weights for each channel, and each plane lies on its own channel only.',
      },
      points: ['panel:x'],
      notes:
        'Channels are counted from 0 as well. A grey picture has one channel, which is why the lessons before could leave the word out.',
    },
    {
      title: 'All channels go into one sum',
      link: `${TWO}&cell=y.0`,
      words: [
        'The window now is 3 × 3 cells deep through both channels: 18 products, and one sum. The channels do not stay apart.',
        'Channel 0 gives 2 and channel 1 gives −6, so `y[0,0] = 2 − 6 = −4`. The panel below lists both.',
      ],
      formula: 'y[i,j] = Σ{p,q,c} x[i+p,j+q,c] · w[p,q,c]',
      task: {
        words: 'Choose the bottom right cell of y and compare what the two channels give there.',
        goal: { kind: 'cell', among: ['y.3'] },
        solution: 'cell=y.3',
        seen: 'Their sum is `y[1,1] = −31`. y has only one channel, however many x has.',
      },
      points: ['panel:y'],
      claims: [{ tensor: 'y', at: [0, 0], value: -4 }],
      notes:
        'A common mistake in exams: “the kernel is 3 × 3”. It is 3 × 3 × 2 here; its depth is never chosen, it is that of the input.',
    },
    {
      title: 'Several filters',
      link: `${TWO}&cell=y.0`,
      words: [
        'One kernel asks one question. A *filter* is a kernel with all its planes (and its bias, which comes later); a layer has several, and each makes a channel of y of its own.',
        'All filters read the same windows.',
      ],
      task: {
        words: 'Give the layer a second filter: set filters to 2.',
        goal: { kind: 'sizes', are: { k: 2 } },
        solution: 'k=2',
        seen: 'y has two channels now, one for each filter; w has 3 · 3 · 2 · 2 = 36 weights: rows, columns, channels, filters. The output’s channels are the next layer’s input.',
      },
      points: ['field:k'],
      notes:
        'The page calls the number of filters k and that of input channels c. Frameworks write out_channels and in_channels.',
    },
    {
      title: 'A window of a single pixel',
      link: `${TWO}&k=2&cell=y.0`,
      words: [
        'What if the kernel is 1 × 1? Then no neighbours are seen, but the channels of one pixel are still mixed by the weights.',
        'Such a layer is called *pointwise*. It is the cheap way to make many channels few, or few many.',
      ],
      task: {
        words: 'Set the kernel to 1.',
        goal: { kind: 'sizes', are: { kh: 1, kw: 1 } },
        solution: 'kh=1&kw=1',
        seen: 'y is 4 × 4, as large as x, and w has 1 · 1 · 2 · 2 = 4 weights: a small matrix that is applied at every pixel.',
        claims: [{ tensor: 'y', size: [4, 4] }],
      },
      points: ['field:kh'],
      notes: 'Also called a 1 × 1 convolution. The lesson on groups puts it behind a depthwise layer.',
    },
  ],
};
