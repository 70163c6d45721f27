import type { Lesson } from '../lesson';

const PICTURE = 'h=5&kh=3&x=corner&weights=filter:sobel_x&dy=ones';

export const lesson: Lesson = {
  order: 1,
  title: 'One window, one number',
  sentence: 'What a convolution does, shown on a single cell of its output.',
  steps: [
    {
      title: 'Three grids of numbers',
      link: `${PICTURE}&cell=y.4`,
      words: [
        '`x` is the *input*: a small image, 0 where it is dark and 1 in a bright corner. `w` is the *kernel*: nine numbers, called *weights*. `y` is the *output*, computed from the two.',
        'The frame on x is the *window*: the part of x that w covers. Each window gives one number of y; both are marked. Later lessons explain the tensors below.',
      ],
      task: {
        words:
          'Choose the top left cell of y: click or tap it. With the keyboard, use Tab and the arrow keys; Space pins a cell or unpins it.',
        goal: { kind: 'cell', among: ['y.0'] },
        solution: 'cell=y.0',
        outcome:
          'The window moved to the top left corner of x. Each cell of y belongs to one window of x. `y[0,0]` is computed from rows 0 to 2 and columns 0 to 2 of x. Counting starts at 0.',
      },
      points: ['panel:y'],
      notes:
        'Ask before anyone clicks: y is 3 × 3, x is 5 × 5. Why not the same? (A window of 3 has three positions in 5 cells.) The next lesson answers it. Below the lesson, the page always explains the chosen cell.',
    },
    {
      title: 'Multiply cell by cell, then add',
      link: `${PICTURE}&cell=y.6`,
      words: [
        'Multiply each cell of the window by the weight on it, then add the nine products. That sum is the cell of y.',
        'In this window only three cells are not 0. The weights on them are 1, 2 and 1, so:',
      ],
      formula: 'y[2,0] = 1·1 + 1·2 + 1·1 = 4',
      task: {
        words: 'Predict `y[2,2]`, where all nine cells of the window are 1. Then choose it: bottom right in y.',
        goal: { kind: 'cell', among: ['y.8'] },
        solution: 'cell=y.8',
        outcome:
          'All weights are added: `y[2,2] = −1 + 0 + 1 − 2 + 0 + 2 − 1 + 0 + 1 = 0`. The negative and positive weights of this kernel cancel. So the result is 0 where the image does not change.',
        claims: [{ tensor: 'y', at: [2, 2], value: 0 }],
      },
      points: ['panel:y'],
      claims: [{ tensor: 'y', at: [2, 0], value: 4 }],
      notes:
        'Let the class add the nine products aloud once. The panel below lists them: point at a line to highlight its two factors.',
    },
    {
      title: 'A kernel detects a pattern',
      link: `${PICTURE}&cell=y.3`,
      words: [
        'The left column of w is negative, the right column positive. So this kernel measures whether the window gets brighter from left to right.',
        '`y[1,0] = 1·2 + 1·1 = 3`: it does. Where it does not, the result is 0, as in `y[1,2] = 0`.',
      ],
      task: {
        words:
          'Make the bright corner larger: set `x[1,2]` from 0 to 1. Choose the cell and type 1 (or use the field below).',
        goal: { kind: 'value', of: 'x', index: 7, is: 1 },
        solution: 'x=corner~i8.AAAAAAAAAAEAAAAAAQEBAAABAQEAAAEBAQ',
        outcome:
          'Now `y[1,0] = 1·1 + 1·2 + 1·1 = 4`: another product is no longer 0. You changed one cell of x, and every window that contains it changed.',
        claims: [{ tensor: 'y', at: [1, 0], value: 4 }],
      },
      points: ['panel:x'],
      claims: [
        { tensor: 'y', at: [1, 0], value: 3 },
        { tensor: 'y', at: [1, 2], value: 0 },
      ],
      notes:
        'The kernel is the Sobel filter, an edge detector from 1968. Networks do not use such hand-written numbers: they learn them, and the lessons from dw on show how. Try other cells of x too.',
    },
    {
      title: 'How it is written',
      link: `${PICTURE}&cell=y.4`,
      words: [
        'A cell is named by its row and column: `y[i,j]`. `w[p,q]` is in row p and column q of the kernel. It multiplies the cell of x that is p rows below and q columns right of the window’s corner.',
        'Σ means: add up over all p and q. This formula is the whole convolution. The next lessons add stride, padding and channels.',
      ],
      formula: 'y[i,j] = Σ{p,q} x[i+p,j+q] · w[p,q]',
      task: {
        words: 'A window begins in row 2 and column 1 of x. Choose its cell of y.',
        goal: { kind: 'cell', among: ['y.7'] },
        solution: 'cell=y.7',
        outcome: 'That is `y[2,1] = 4`: with i = 2 and j = 1 the window reads x[2+p, 1+q].',
        claims: [{ tensor: 'y', at: [2, 1], value: 4 }],
      },
      points: ['panel:y'],
      notes:
        'In mathematics, a convolution first flips w by 180°; the operation here is called cross-correlation. Every deep-learning framework computes it as here and calls it convolution. The flip returns in the lessons on dx.',
    },
  ],
};
