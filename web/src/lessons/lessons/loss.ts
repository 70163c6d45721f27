import type { Lesson } from '../lesson';

const ERROR = 'h=5&kh=3&x=corner&weights=filter:sobel_x&dy=mse:0';

export const lesson: Lesson = {
  order: 5,
  title: 'The loss and dy',
  sentence: 'How a loss scores y, and how it changes with each cell of y.',
  steps: [
    {
      title: 'One number for the whole error',
      link: ERROR,
      words: [
        'We want y to match a *target*: here 0 in every cell. The *loss* `L` is one number that says how far y is from it. Training a network means: make L smaller.',
        'This loss squares each difference, adds the squares, and divides by 2N. N = 9 is the number of cells of y: 52 / 18 = 2.889.',
      ],
      formula: 'L = Σ (y − target)² / 2N',
      task: {
        words: 'At the bottom left, y is 4. Choose the cell of dy at the same place.',
        goal: { kind: 'cell', among: ['dy.6'] },
        solution: 'cell=dy.6',
        outcome:
          'The derivative of half the square is the difference itself. Here it is 4, divided by N: `dy[2,0] = 4/9`.',
        claims: [{ tensor: 'y', at: [2, 0], value: 4 }],
      },
      points: ['panel:dy'],
      claims: [{ loss: 2.889 }],
      notes:
        'The 2 in the denominator cancels the 2 from the derivative of the square. Books differ in this factor; the lesson on bias and batch returns to it.',
    },
    {
      title: 'What dy means',
      link: `${ERROR}&cell=dy.6`,
      words: [
        '`dy[i,j]` is short for dL/dy[i,j]. If that cell of y grows by a tiny amount, L grows by dy[i,j] times that amount. All these derivatives together are the *gradient* of L with respect to y.',
        'Positive: a smaller y would be better. Negative: a larger y would be better. Zero: a tiny change there makes no difference.',
      ],
      formula: 'dy[i,j] = (y[i,j] − target[i,j]) / N',
      task: {
        words: 'Find a cell of dy that is 0 and choose it.',
        goal: { kind: 'cell', among: ['dy.2', 'dy.5', 'dy.8'] },
        solution: 'cell=dy.2',
        outcome:
          'There y is 0 and so is the target: there is no error. `dy[0,2] = 0`, so this cell contributes nothing to any gradient.',
      },
      points: ['panel:dy'],
      notes:
        'Draw the parabola (y − target)² and its tangent. The lesson on the gradient check measures such derivatives by moving a number.',
    },
    {
      title: 'A layer in the middle',
      link: ERROR,
      words: [
        'Most layers are not the last: their y goes into further layers, and the loss comes much later. Then dy comes from the layer after this one, the *upstream* gradient. This layer takes it as given.',
        'You can compute dy from a loss or set it yourself.',
      ],
      task: {
        words: 'At the end of the controls, set the values of dy to “ones”.',
        goal: { kind: 'source', of: 'dy', is: 'ones' },
        solution: 'dy=ones',
        outcome:
          'Now every cell of y counts the same: `dy[0,0] = 1`, as if the loss were the sum of y. In general L is then Σ y · dy, a weighted sum of y.',
      },
      points: ['controls:dy'],
      notes:
        'With dy = ones the gradients are easy to count, so many textbook examples use it without saying so. It also hides mistakes, because all its cells are the same.',
    },
    {
      title: 'What dy is for',
      link: `${ERROR}&cell=y.3`,
      words: [
        'From dy the layer computes three more gradients. `dw` says how L changes with each weight: training needs it. `db` is the same for the bias.',
        'And `dx` says how L changes with each cell of x. x is the output of the layer before: for that layer, dx is dy. This is *backpropagation*: the gradient goes back through the network, layer by layer.',
      ],
      task: {
        words: 'Follow the arrows from dy, and choose any cell of dx.',
        goal: { kind: 'cell', among: ['dx'] },
        solution: 'cell=dx.12',
        outcome:
          'Its sum is listed below: cells of dy times weights. The next lessons explain these sums: dw first, then dx.',
      },
      points: ['panel:dx'],
      notes:
        'Most lecture notes write dy, dx, dw, db. PyTorch says grad_output, grad_input, grad_weight, grad_bias; oneDNN says diff_dst, diff_src, diff_weights, diff_bias.',
    },
  ],
};
