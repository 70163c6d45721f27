import type { Lesson } from '../lesson';

const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';
const MEAN = 'h=5&kh=3&x=corner&weights=filter:sobel_x&dy=mse:0';

export const lesson: Lesson = {
  order: 13,
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
      task: {
        words: 'Turn on “bias b” in the controls of w.',
        goal: { kind: 'source', of: 'b', is: 'constant' },
        solution: 'bias=ones',
        outcome: 'b is 1, and every cell of y has grown by 1: `y[0,0] = 148`, which was 147.',
        claims: [{ tensor: 'y', at: [0, 0], value: 148 }],
      },
      points: ['controls:w'],
      notes: 'Layers before a batch normalization have no bias: the normalization would subtract it again.',
    },
    {
      title: 'The gradient of the bias',
      link: `${FOUR}&bias=ones&cell=y.0`,
      words: [
        'If b grows by 1, every cell of y grows by 1, and each changes the loss by its dy. So the gradient of the bias is the sum of dy.',
      ],
      task: {
        words: 'Predict db for dy = 1, 2, 3, 4, then choose the cell of db.',
        goal: { kind: 'cell', among: ['db'] },
        solution: 'cell=db.0',
        outcome: '`db[0] = 1 + 2 + 3 + 4 = 10`. It does not depend on x or w.',
        claims: [{ tensor: 'db', at: [0], value: 10 }],
      },
      points: ['panel:db'],
      notes: 'Think of b as a weight with the constant input 1: then db is the dw of that weight.',
    },
    {
      title: 'Several images at once',
      link: 'h=4&kh=3&x=ramp&weights=countdown:9&bias=ones&dy=ones&cell=dw.0',
      words: [
        'Networks are trained with several images at a time, a *batch*. Every image uses the same w and b. In y, dy and dx each image has its own planes.',
        'Here is one image, dy is 1 everywhere, and `db[0] = 4`.',
      ],
      task: {
        words: 'Set batch to 2.',
        goal: { kind: 'sizes', are: { n: 2 } },
        solution: 'n=2',
        outcome:
          '`db[0] = 8` now. dw and db are as large as before, 3 × 3 and one number: they are sums over both images. All images share one w, so their gradients add up.',
        claims: [
          { tensor: 'db', at: [0], value: 8 },
          { tensor: 'dw', size: [3, 3] },
        ],
      },
      points: ['field:n'],
      claims: [{ tensor: 'db', at: [0], value: 4 }],
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
      task: {
        words: 'Set batch to 2 and look at the same cell of dy.',
        goal: { kind: 'sizes', are: { n: 2 } },
        solution: 'n=2',
        outcome:
          'N is 18 now, and `dy[2,0] = 4/18`: half as large. dw adds up two images of half the size each. So with equal images it stays the same: `dw[2,2] = 16/9`.',
      },
      points: ['field:n'],
      notes:
        'If the loss is a sum, dw grows with the batch. If dw is divided by the batch size again, it shrinks. Both train, with another learning rate, so the mistake often stays unnoticed. The gradient check finds it at once.',
    },
  ],
};
