import type { Lesson } from '../lesson';

const PICTURE = 'h=5&kh=3&x=corner&weights=filter:sobel_x&dy=ones';

export const lesson: Lesson = {
  place: 1,
  title: 'One window, one number',
  sentence: 'What a convolution does, told with a single cell of its output.',
  steps: [
    {
      title: 'Three grids of numbers',
      link: `${PICTURE}&cell=y.4`,
      words: [
        '`x` is the *input*: a small picture, 0 where it is dark and 1 in a bright corner. `w` is the *kernel*: nine numbers, called *weights*. `y` is the *output*, made from the two.',
        'The frame on x is the *window*: the part of x that w is laid on. One window makes one number of y; both are marked. What stands below belongs to later lessons.',
      ],
      task: {
        words:
          'Choose the top left cell of y: click or tap it, or go there with Tab and the arrow keys (Space keeps a cell, or lets it go).',
        goal: { kind: 'cell', among: ['y.0'] },
        solution: 'cell=y.0',
        seen: 'The window went to the top left corner of x. A cell of y and a window of x belong together: `y[0,0]` is made from rows 0 to 2 and columns 0 to 2 of x. We count from 0.',
      },
      points: ['panel:y'],
      notes:
        'Ask before anything is clicked: y is 3 × 3, x is 5 × 5. Why not the same? (Three places for a window of 3 in 5 cells.) The next lesson comes back to it. Below the lesson the page always explains the chosen cell.',
    },
    {
      title: 'Multiply cell by cell, then add',
      link: `${PICTURE}&cell=y.6`,
      words: [
        'Each cell of the window is multiplied by the weight that lies on it, and the nine products are added. That sum is the cell of y.',
        'In this window only three cells are not 0. They lie under the weights 1, 2 and 1, so:',
      ],
      formula: 'y[2,0] = 1·1 + 1·2 + 1·1 = 4',
      task: {
        words:
          'Say what `y[2,2]` must be, where all nine cells of the window are 1. Then choose it: bottom right in y.',
        goal: { kind: 'cell', among: ['y.8'] },
        solution: 'cell=y.8',
        seen: 'All weights are added: `y[2,2] = −1 + 0 + 1 − 2 + 0 + 2 − 1 + 0 + 1 = 0`. This kernel has as much below zero as above, so where the picture does not change, the answer is 0.',
        claims: [{ tensor: 'y', at: [2, 2], value: 0 }],
      },
      points: ['panel:y'],
      claims: [{ tensor: 'y', at: [2, 0], value: 4 }],
      notes:
        'Let them add the nine products aloud once. The panel below lists them: point at a line and its two factors light up.',
    },
    {
      title: 'A kernel asks a question',
      link: `${PICTURE}&cell=y.3`,
      words: [
        'The left column of w is negative, the right one positive: what lies right counts for, what lies left counts against. So this kernel asks of each window: does it get brighter from left to right?',
        '`y[1,0] = 1·2 + 1·1 = 3`: yes. The answer at `y[1,2] = 0` was no.',
      ],
      task: {
        words:
          'Make the bright corner reach further: set `x[1,2]` from 0 to 1. Choose the cell and type 1 (or use the field below).',
        goal: { kind: 'value', of: 'x', index: 7, is: 1 },
        solution: 'x=corner~i8.AAAAAAAAAAEAAAAAAQEBAAABAQEAAAEBAQ',
        seen: 'Now `y[1,0] = 1·1 + 1·2 + 1·1 = 4`: another product is no longer 0. One cell of x was changed, and every window that reads it felt it.',
        claims: [{ tensor: 'y', at: [1, 0], value: 4 }],
      },
      points: ['panel:x'],
      claims: [
        { tensor: 'y', at: [1, 0], value: 3 },
        { tensor: 'y', at: [1, 2], value: 0 },
      ],
      notes:
        'The kernel is the Sobel filter, an edge detector from 1968. In a network nobody writes such numbers by hand: they are learned, and the lessons from dw on show how. Any other cell of x does as well for playing.',
    },
    {
      title: 'How it is written',
      link: `${PICTURE}&cell=y.4`,
      words: [
        'A cell is named by its row and column: `y[i,j]`. The cell of the kernel in row p and column q, `w[p,q]`, lies on the cell of x that is p rows below and q columns right of the window’s corner.',
        'Σ means: add up for all p and q. This is all of it, and everything that follows is a variation.',
      ],
      formula: 'y[i,j] = Σ{p,q} x[i+p,j+q] · w[p,q]',
      task: {
        words: 'Choose the cell of y whose window begins in row 2 and column 1 of x.',
        goal: { kind: 'cell', among: ['y.7'] },
        solution: 'cell=y.7',
        seen: 'That is `y[2,1] = 4`: with i = 2 and j = 1 the window reads x[2+p, 1+q].',
        claims: [{ tensor: 'y', at: [2, 1], value: 4 }],
      },
      points: ['panel:y'],
      notes:
        'In a mathematics book a convolution turns w by 180 degrees first; what is shown here is called cross-correlation there. Every deep-learning framework does it as here and calls it convolution. The turn comes back by itself in the lessons on dx.',
    },
  ],
};
