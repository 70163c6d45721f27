import type { Lesson } from '../lesson';

const LINE = 'h=5&kh=3&x=ramp&weights=countdown:9&dy=ones';

export const lesson: Lesson = {
  place: 2,
  title: 'Sliding and stride',
  sentence: 'The window moves, and how far it moves decides how large y is.',
  steps: [
    {
      title: 'The window slides',
      link: LINE,
      words: [
        'All of y is made with the same nine weights: the window goes over x from left to right and from top to bottom, and at each stop one cell of y is made. That w is the same everywhere is called *weight sharing*: a pattern is found wherever it is.',
        'x counts from 0 to 24 here and w from 9 down to 1, so that one sees at once which cell is which.',
      ],
      task: {
        words: 'Let the window go over the first row: press the player’s “One step forward” three times, or play.',
        goal: { kind: 'view', mode: 'board', chosen: { t: 3 } },
        solution: 'board.t=3',
        seen: 'Three stops make the first row of y: `y[0,0] = 174`, `y[0,1] = 219`, `y[0,2] = 264`. Each is 45 more than the one before: every cell under the window grew by 1, and the weights add up to 45.',
        claims: [
          { tensor: 'y', at: [0, 0], value: 174 },
          { tensor: 'y', at: [0, 1], value: 219 },
          { tensor: 'y', at: [0, 2], value: 264 },
        ],
      },
      points: ['player'],
      notes:
        'Ask why the difference is 45 before it is read out: 9 + 8 + … + 1. Nine weights serve all nine outputs; a layer that joins every input to every output would need 25 · 9 = 225.',
    },
    {
      title: 'How many stops there are',
      link: `${LINE}&cell=y.8`,
      words: [
        'The last window ends at the edge of x. A window of 3 in a row of 5 can begin at 0, 1 or 2: three stops, so y is 3 × 3.',
        'With an input of h rows and a kernel of kh rows:',
      ],
      formula: 'oh = h − kh + 1',
      task: {
        words: 'Set the kernel so that y becomes 4 × 4. Say first how large it must be.',
        goal: { kind: 'output', rows: 4, cols: 4 },
        solution: 'kh=2&kw=2',
        seen: 'A kernel of 2 has four places in a row of 5: 5 − 2 + 1 = 4, so y is 4 × 4. The larger the kernel, the smaller y.',
        claims: [{ tensor: 'y', size: [4, 4] }],
      },
      points: ['field:kh'],
      claims: [{ tensor: 'y', size: [3, 3] }],
      notes:
        'oh and ow are the output’s height and width. The full formula, with padding and stride, is put together in three steps over this lesson and the next.',
    },
    {
      title: 'Larger steps',
      link: `${LINE}&cell=y.0`,
      words: [
        'The window need not stop at every cell. The *stride* is how many cells it moves on at a time. So far it was 1.',
        'A larger stride makes y smaller and saves work. In a neural network, which is many such steps one after the other, its *layers*, it is one of the two usual ways to shrink a picture.',
      ],
      task: {
        words: 'Set the stride to 2.',
        goal: { kind: 'sizes', are: { stride_h: 2, stride_w: 2 } },
        solution: 'stride=2',
        seen: 'The window stops at rows 0 and 2, and at columns 0 and 2: y is 2 × 2. `y[0,1] = 264` is what `y[0,2]` was before: the stops between are left out, the others are the same.',
        claims: [
          { tensor: 'y', size: [2, 2] },
          { tensor: 'y', at: [0, 1], value: 264 },
        ],
      },
      points: ['field:stride_h'],
      notes:
        'The other usual way to shrink is pooling. A stride is a convolution that throws away outputs, except that it never computes them.',
    },
    {
      title: 'The formula with a stride',
      link: `${LINE}&stride=2&cell=y.3`,
      words: [
        'With a stride s the window of `y[i,j]` begins at row s·i and column s·j.',
        'And the number of stops is divided by s, rounded down, before 1 is added for the first stop. *floor* means: round down. Here that is 2, so y is 2 × 2.',
      ],
      formula: 'oh = floor((h − kh) / s) + 1',
      task: {
        words: 'Make x 7 high and 7 wide. Say first how many stops there will be.',
        goal: { kind: 'sizes', are: { h: 7, w: 7 } },
        solution: 'h=7&w=7',
        seen: '(7 − 3) / 2 = 2, and the first stop makes 3: y is 3 × 3.',
        claims: [{ tensor: 'y', size: [3, 3] }],
      },
      points: ['field:h', 'field:w'],
      claims: [{ tensor: 'y', size: [2, 2] }],
      notes:
        'Try 6 as well: (6 − 3) / 2 = 1.5, rounded down to 1, so y is 2 × 2 as for 5, and the last row and column of x are read by nobody (hatched). The lesson on the remainder is about that.',
    },
  ],
};
