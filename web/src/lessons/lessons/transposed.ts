import type { Lesson } from '../lesson';

const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';
const DOUBLE = 'h=4&kh=2&stride=2&x=ramp&weights=ones&dy=values:1.2.2.1~i8.AQIDBA';

export const lesson: Lesson = {
  order: 16,
  title: 'Transposed convolution is dx',
  sentence: 'Upsampling: the backward pass of a convolution, used as a forward layer.',
  steps: [
    {
      title: 'The opposite direction',
      link: `${FOUR}&cell=y.0`,
      words: [
        'The forward pass computes 2 × 2 numbers from 4 × 4. The computation of dx does the opposite: from dy, 2 × 2, it computes 4 × 4, with the same nine weights.',
        'Networks that generate images need exactly that: from small to large. So they use the computation of dx as a layer: *transposed convolution*.',
      ],
      task: {
        words: 'Open the view “dx” and read it as a forward pass: dy is the input, dx the output.',
        goal: { kind: 'view', mode: 'dx' },
        solution: 'mode=dx',
        outcome:
          'The computation is the same. The input of that layer is our dy, 2 × 2, and its output is our dx, 4 × 4.',
        claims: [{ tensor: 'dx', size: [4, 4] }],
      },
      points: ['tab:dx'],
      notes:
        'In PyTorch: conv_transpose2d(dy, w) equals the gradient of conv2d with respect to its input. Let students try this first in a notebook.',
    },
    {
      title: 'A matrix that computes y from x',
      link: `${FOUR}&mode=matrix&cell=y.0`,
      words: [
        'Write x as a list of 16 numbers and y as a list of 4. Each y is a sum of entries of x times weights. So a table with 4 rows and 16 columns computes y from x. Such a table is called a *matrix*: y = C x.',
        'The view shows C. A row of C is a window: row 0 has the nine weights where y[0,0] reads x, and 0 elsewhere. Multiplied by x and added: `y[0,0] = 0·9 + 1·8 + 2·7 + 4·6 + 5·5 + 6·4 + 8·3 + 9·2 + 10·1 = 147`.',
      ],
      task: {
        words: 'Choose x[1,1], which is column 5 of C, and see which outputs use it.',
        goal: { kind: 'cell', among: ['x.5'] },
        solution: 'cell=x.5',
        outcome:
          'All four cells of y use it: from top to bottom the column has 5, 6, 8 and 9. A row lists the inputs of one y, a column lists the outputs that use one x.',
      },
      points: ['panel:C'],
      notes:
        'Let a student guess the next row before you point at it. It has the same nine numbers, moved by one, and by four for the next row of y. That is what “sharing weights” means.',
    },
    {
      title: 'Why “transposed”',
      link: `${FOUR}&mode=matrix&cell=dx.5`,
      words: [
        'The backward pass asks how each x changes the loss. Four outputs use x[1,1], and its column has their weights: 5, 6, 8 and 9. Multiplied by their dy and added: `dx[1,1] = 1·5 + 2·6 + 3·8 + 4·9 = 77`.',
        'So dx needs the columns of C as rows. C with rows and columns exchanged is written Cᵀ and called the *transpose* of C.',
      ],
      formula: 'dx = Cᵀ dy',
      task: {
        words: 'Transpose the matrix: choose “dx = Cᵀ dy” above it.',
        goal: { kind: 'view', mode: 'matrix', chosen: { form: 'transposed' } },
        solution: 'matrix.form=transposed',
        outcome:
          'Row 5 of Cᵀ holds 5, 6, 8 and 9, and gives `dx[1,1] = 77`. Each column is the stamp of one dy, written as a list. A layer that computes Cᵀ dy is a *transposed convolution*.',
        claims: [{ tensor: 'dx', at: [1, 1], value: 77 }],
      },
      points: ['option:transposed'],
      claims: [{ tensor: 'dx', at: [1, 1], value: 77 }],
      notes:
        'For every x and dy the sum of y · dy equals the sum of x · dx. In symbols: 〈Cx, dy〉 = 〈x, Cᵀdy〉, both 3000 here. The page shows both below the matrix. This is the shortest test of a backward pass.',
    },
    {
      title: 'Making an image larger',
      link: `${DOUBLE}&cell=dx.0`,
      words: [
        'A kernel of 2 with stride 2, all weights 1. Forward, each 2 × 2 block of x becomes one number. Backward, each number of dy is stamped on a block of 2 × 2. That doubles the image: `dx[0,0] = 1`, `dx[0,1] = 1`.',
      ],
      task: {
        words: 'Choose a cell of dx that holds the 4.',
        goal: { kind: 'cell', among: ['dx.10', 'dx.11', 'dx.14', 'dx.15'] },
        solution: 'cell=dx.15',
        outcome:
          '`dx[3,3] = 4`, as in all of the last block. The stamps do not overlap: kernel and stride are both 2. With learned weights, the network chooses how to draw each block.',
        claims: [{ tensor: 'dx', at: [3, 3], value: 4 }],
      },
      points: ['panel:dx'],
      notes:
        'With kernel 3 and stride 2 the stamps overlap unevenly: the checkerboard of the lesson on stride. So use kernels that the stride divides to make images larger.',
    },
    {
      title: 'It is not an inverse',
      link: `${DOUBLE}&cell=dx.0`,
      words: [
        'It is also called *deconvolution*. The name misleads: it gives back the shape of x, not its values. Four numbers of y do not determine the sixteen of x.',
        'Try it: compute dy from y itself.',
      ],
      task: {
        words: 'Set the values of dy to “squared error”: with target 0, dy is y divided by 4.',
        goal: { kind: 'source', of: 'dy', is: 'mse' },
        solution: 'dy=mse:0',
        outcome:
          '`dx[0,0] = 2.5`, `dx[0,1] = 2.5`: each block holds its mean, and x had 0, 1, 4 and 5 there. Forward and back again blurs the image; it does not restore it.',
      },
      points: ['controls:dy'],
      notes:
        'The last lesson trains a kernel. After it, try the gradient check on your own problems, the ten numbered cases under Examples, and images.',
    },
  ],
};
