import type { Lesson } from '../lesson';

const LINE = 'h=5&kh=3&x=ramp&weights=countdown:9&dy=ones';

export const lesson: Lesson = {
  order: 2,
  title: 'Sliding and stride',
  sentence: 'How the window moves over x, and how the stride sets the size of y.',
  steps: [
    {
      title: 'The window slides',
      link: LINE,
      words: [
        'All of y is computed with the same nine weights. The window moves over x from left to right and from top to bottom. Each position gives one cell of y. Using the same w everywhere is called *weight sharing*: it finds a pattern wherever the pattern is.',
        'Here x counts from 0 to 24 and w from 9 down to 1. So you can tell the cells apart.',
      ],
      task: {
        words: 'Move the window over the first row: press “One step forward” in the player three times, or press Play.',
        goal: { kind: 'view', mode: 'board', chosen: { t: 3 } },
        solution: 'board.t=3',
        outcome:
          'Three positions give the first row of y: `y[0,0] = 174`, `y[0,1] = 219`, `y[0,2] = 264`. Each is 45 more than the one before. Every cell under the window grows by 1, and the weights add up to 45.',
        claims: [
          { tensor: 'y', at: [0, 0], value: 174 },
          { tensor: 'y', at: [0, 1], value: 219 },
          { tensor: 'y', at: [0, 2], value: 264 },
        ],
      },
      points: ['player'],
      notes:
        'Ask why the difference is 45 before you read it out: 9 + 8 + … + 1. Nine weights serve all nine outputs. A layer that connects every input to every output would need 25 · 9 = 225.',
    },
    {
      title: 'How many positions there are',
      link: `${LINE}&cell=y.8`,
      words: [
        'The last window ends at the edge of x. A window of 3 in a row of 5 can begin at 0, 1 or 2. That is three positions, so y is 3 × 3.',
        'With an input of h rows and a kernel of kh rows:',
      ],
      formula: 'oh = h − kh + 1',
      task: {
        words: 'Set the kernel so that y becomes 4 × 4. Predict its size first.',
        goal: { kind: 'output', rows: 4, cols: 4 },
        solution: 'kh=2&kw=2',
        outcome:
          'A kernel of 2 has four positions in a row of 5: 5 − 2 + 1 = 4, so y is 4 × 4. The larger the kernel, the smaller y.',
        claims: [{ tensor: 'y', size: [4, 4] }],
      },
      points: ['field:kh'],
      claims: [{ tensor: 'y', size: [3, 3] }],
      notes:
        'oh and ow are the output’s height and width. This lesson and the next build the full formula, with padding and stride.',
    },
    {
      title: 'Larger moves',
      link: `${LINE}&cell=y.0`,
      words: [
        'The window can skip cells. The *stride* is how many cells it moves at a time. So far it was 1.',
        'A larger stride makes y smaller and saves work. A neural network is a sequence of such operations, its *layers*. A stride is one of the two common ways to make an image smaller.',
      ],
      task: {
        words: 'Set the stride to 2.',
        goal: { kind: 'sizes', are: { stride_h: 2, stride_w: 2 } },
        solution: 'stride=2',
        outcome:
          'The window begins at rows 0 and 2, and at columns 0 and 2: y is 2 × 2. `y[0,1] = 264` was `y[0,2]` before. The positions between are left out; the others are unchanged.',
        claims: [
          { tensor: 'y', size: [2, 2] },
          { tensor: 'y', at: [0, 1], value: 264 },
        ],
      },
      points: ['field:stride_h'],
      notes:
        'The other common way is pooling. A stride gives the same result as a full convolution that drops some outputs, without computing them.',
    },
    {
      title: 'The formula with a stride',
      link: `${LINE}&stride=2&cell=y.3`,
      words: [
        'With a stride s the window of `y[i,j]` begins at row s·i and column s·j.',
        'Divide the number of moves by s, round down, and add 1 for the first position. *floor* means: round down. Here that gives 2, so y is 2 × 2.',
      ],
      formula: 'oh = floor((h − kh) / s) + 1',
      task: {
        words: 'Make x 7 high and 7 wide. Predict the number of positions first.',
        goal: { kind: 'sizes', are: { h: 7, w: 7 } },
        solution: 'h=7&w=7',
        outcome: '(7 − 3) / 2 = 2, and the first position makes 3: y is 3 × 3.',
        claims: [{ tensor: 'y', size: [3, 3] }],
      },
      points: ['field:h', 'field:w'],
      claims: [{ tensor: 'y', size: [2, 2] }],
      notes:
        'Try 6 as well: (6 − 3) / 2 = 1.5, rounded down to 1, so y is 2 × 2 as for 5. No window reads the last row and column of x (hatched). The lesson on the remainder explains them.',
    },
  ],
};
