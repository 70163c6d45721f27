import type { Lesson } from '../lesson';

const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';
const MEAN = 'h=5&kh=3&x=corner&weights=filter:sobel_x&dy=mse:0';

export const lesson: Lesson = {
  place: 13,
  title: 'Bias, batch and the factor everyone forgets',
  sentence: 'What is summed over the images of a batch, and where the division by N belongs.',
  steps: [
    {
      title: 'One number more',
      link: `${FOUR}&cell=y.0`,
      words: [
        'Each filter may have a *bias*, b: one number that is added to every cell of its y. It shifts the whole answer up or down; without it an all-dark picture could give only 0.',
      ],
      formula: 'y[i,j] = b + Σ{p,q} x[i+p,j+q] · w[p,q]',
      task: {
        words: 'Switch on “bias b” in the controls of w.',
        goal: { kind: 'source', of: 'b', is: 'constant' },
        solution: 'bias=ones',
        seen: 'b is 1, and every cell of y has grown by 1: `y[0,0] = 148`, which was 147.',
        claims: [{ tensor: 'y', at: [0, 0], value: 148 }],
      },
      points: ['controls:w'],
      notes: 'Layers followed by a batch normalisation leave the bias out: the normalisation subtracts it again.',
    },
    {
      title: 'What the bias hears',
      link: `${FOUR}&bias=ones&cell=y.0`,
      words: [
        'If b grows by 1, every cell of y grows by 1, and each changes the loss by its dy. So the gradient of the bias is simply the sum of dy.',
      ],
      task: {
        words: 'Say what db must be for dy = 1, 2, 3, 4, then choose the cell of db.',
        goal: { kind: 'cell', among: ['db'] },
        solution: 'cell=db.0',
        seen: '`db[0] = 1 + 2 + 3 + 4 = 10`. Neither x nor w plays any part.',
        claims: [{ tensor: 'db', at: [0], value: 10 }],
      },
      points: ['panel:db'],
      notes: 'Think of b as a weight that always lies on a 1: then db is dw of that weight.',
    },
    {
      title: 'Several images at once',
      link: 'h=4&kh=3&x=ramp&weights=countdown:9&bias=ones&dy=ones&cell=dw.0',
      words: [
        'Networks are trained with several images at a time, a *batch*. Every image goes through the same w and b; in y, dy and dx each image has planes of its own.',
        'Here is one image, dy is 1 everywhere, and `db[0] = 4`.',
      ],
      task: {
        words: 'Set batch to 2.',
        goal: { kind: 'sizes', are: { n: 2 } },
        solution: 'n=2',
        seen: '`db[0] = 8` now: dw and db are as large as before, 3 × 3 and one number, and are summed over both images. There is only one w, and it hears from all of them.',
        claims: [
          { tensor: 'db', at: [0], value: 8 },
          { tensor: 'dw', size: [3, 3] },
        ],
      },
      points: ['field:n'],
      claims: [{ tensor: 'db', at: [0], value: 4 }],
      notes:
        'A frequent mistake: dw computed per image and the last one kept, or dw given a batch axis. Ask for its shape.',
    },
    {
      title: 'Where N stands',
      link: `${MEAN}&cell=dy.6`,
      words: [
        'The loss is a mean: it is divided by N, the number of all cells of y. That factor is already in dy: `dy[2,0] = 4/9`. Everything that is made from dy has it inside.',
        'So dw and db are sums, and are not divided again: neither by the batch nor by the number of stops.',
      ],
      task: {
        words: 'Set batch to 2 and look at the same cell of dy.',
        goal: { kind: 'sizes', are: { n: 2 } },
        solution: 'n=2',
        seen: 'N is 18 now, and `dy[2,0] = 4/18`: half as large. dw adds up two images of half the size each, so with equal images it stays the same: `dw[2,2] = 16/9`.',
      },
      points: ['field:n'],
      notes:
        'If the loss is a sum, dw grows with the batch; if dw is divided by the batch once more, it shrinks. Both train, with another rate, which is why the mistake lives so long. The gradient check finds it at once.',
    },
  ],
};
