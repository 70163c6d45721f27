import type { Lesson } from '../lesson';

const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';

export const lesson: Lesson = {
  order: 8,
  title: 'dx by gather, and why the kernel is flipped',
  sentence: 'Compute one cell of dx at a time: it collects its terms, and the weights come in reverse order.',
  steps: [
    {
      title: 'Collect instead of scatter',
      link: `${FOUR}&cell=dx.5`,
      words: [
        'We stay with dx[1,1]. In y[0,0] its cell of x was under w[1,1] = 5. Move the window right, to y[0,1]: it is under w[1,0] = 6. Move it down, to y[1,0]: w[0,1] = 8. In y[1,1]: w[0,0] = 9.',
        'The window moves right, so the cell seems to move left under it. That is why the kernel is flipped.',
      ],
      formula: 'dx[1,1] = 1·5 + 2·6 + 3·8 + 4·9 = 77',
      task: {
        words: 'Work out `dx[2,2]` in the same way; its first weight is w[2,2]. Then choose it.',
        goal: { kind: 'cell', among: ['dx.10'] },
        solution: 'cell=dx.10',
        outcome:
          '`dx[2,2] = 1·1 + 2·2 + 3·4 + 4·5 = 37`. dy runs 1, 2, 3, 4, and the weights w[2,2], w[2,1], w[1,2], w[1,1] run backwards.',
      },
      points: ['panel:dx'],
      claims: [
        { tensor: 'w', at: [1, 1], value: 5 },
        { tensor: 'w', at: [1, 0], value: 6 },
        { tensor: 'w', at: [0, 1], value: 8 },
        { tensor: 'w', at: [0, 0], value: 9 },
      ],
      notes:
        'Put a coin under a paper window and slide the window to the right. In the window, the coin goes left. Do it: students remember it better than the formula.',
    },
    {
      title: 'One cell in one step',
      link: `${FOUR}&mode=dx&dx.way=gather&dx.t=0`,
      words: [
        '*Gather* computes dx cell by cell. For each cell of dx, find all windows that read it. Multiply each dy by the weight that was on the cell, and add.',
        'Scatter adds to a cell many times; gather writes it once. The values are the same.',
      ],
      formula: 'dx[r,s] = Σ{p,q} dy[r−p,s−q] · w[p,q]',
      task: {
        words: 'Step on to step 6, which computes dx[1,1].',
        goal: { kind: 'view', mode: 'dx', chosen: { way: 'gather', t: 6 } },
        solution: 'dx.t=6',
        outcome:
          'The result is 77, in one step. Where r − p or s − q is outside of dy, there is no such window, and nothing is added.',
        claims: [{ tensor: 'dx', at: [1, 1], value: 77 }],
      },
      points: ['player'],
      notes: 'Look at the signs: forward has i + p, backward has r − p. Going forward in w means going backward in dy.',
    },
    {
      title: 'Flipped by 180°',
      link: `${FOUR}&dx.t=6`,
      words: [
        'This sum runs forward in w and backward in dy. So flip w by 180°: 1, 2, 3 in the first row, 9 at the end. Now both run forward, and gather is an ordinary convolution of dy with the flipped w.',
        'dy gets a border of zeros, kernel − 1 wide, so that every overlap is included. This is *full* padding, here 2.',
      ],
      task: {
        words: 'Open the view “dx” and look at the flipped w over the padded dy.',
        goal: { kind: 'view', mode: 'dx' },
        solution: 'mode=dx',
        outcome:
          'dy is 2 × 2 and padded to 6 × 6. A kernel of 3 has 4 × 4 positions there: as many as dx has cells. At position 6, for dx[1,1], the weights 5, 6, 8, 9 multiply 1, 2, 3, 4: 77 again.',
        claims: [
          { tensor: 'dx', size: [4, 4] },
          { tensor: 'dx', at: [1, 1], value: 77 },
        ],
      },
      points: ['tab:dx'],
      notes:
        'The view opens at position 6; the player goes through the others. The class has now computed the same cell in three ways: scatter, gather, flipped kernel.',
    },
    {
      title: 'If you forget to flip w',
      link: `${FOUR}&mode=dx`,
      words: [
        'The flip is the step that is forgotten most often. Without it each dy is multiplied by the wrong weight.',
      ],
      task: {
        words: 'Tick “skip the flip of w”.',
        goal: { kind: 'view', mode: 'dx', chosen: { unturned: true } },
        solution: 'dx.unturned=true',
        outcome:
          'The cell in row 1, column 1 becomes 1·5 + 2·4 + 3·2 + 4·1 = 23 in place of 77. With a symmetric kernel, such as a blur, you would not see the mistake. Test with an asymmetric kernel.',
      },
      notes:
        'The flip reverses the rows and the columns. It is not the same as transposing w. Ask which of the two gives 23 (neither: w was unchanged).',
    },
    {
      title: 'Not flipped and flipped: the same pairs',
      link: `${FOUR}&cell=dx.5`,
      words: [
        'Forward, w is not flipped: y[i,j] multiplies x[i+p, j+q] by w[p,q]. Backward, it seems flipped. Both directions use the same four pairs of x and y, each with its own weight.',
        'From a cell of y, the cells of its window are to the right and below. From a cell of x, the windows that read it begin to the left and above. The reversed direction is the flip.',
      ],
      task: {
        words: 'Choose the cell of y in which x[1,1] was multiplied by w[0,0].',
        goal: { kind: 'cell', among: ['y.3'] },
        solution: 'cell=y.3',
        outcome:
          'Its window begins at x[1,1] itself. `y[1,1] = 372` is the last window that reads the cell; it adds the last term, 4·9.',
        claims: [{ tensor: 'y', at: [1, 1], value: 372 }],
      },
      points: ['panel:y'],
      notes:
        'In mathematics a convolution flips w in the forward pass. Then the backward pass does not flip it. Exactly one of the two directions flips w.',
    },
  ],
};
