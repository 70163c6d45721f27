import type { Lesson } from '../lesson';

const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';

export const lesson: Lesson = {
  place: 8,
  title: 'dx by gather, and why the kernel turns',
  sentence: 'The same cell of dx seen from its own side: it collects, and the weights come in reverse order.',
  steps: [
    {
      title: 'Collect instead of throw',
      link: `${FOUR}&cell=dx.5`,
      words: [
        'We stay with dx[1,1]. In y[0,0] its cell of x lay under w[1,1] = 5; one stop to the right, in y[0,1], under w[1,0] = 6; one stop down, in y[1,0], under w[0,1] = 8; in y[1,1] under w[0,0] = 9.',
        'The window moves right, so the cell seems to move left under it. That is all the secret of the turn.',
      ],
      formula: 'dx[1,1] = 1·5 + 2·6 + 3·8 + 4·9 = 77',
      task: {
        words: 'Work out `dx[2,2]` in the same way; its first weight is w[2,2]. Then choose it.',
        goal: { kind: 'cell', among: ['dx.10'] },
        solution: 'cell=dx.10',
        seen: '`dx[2,2] = 1·1 + 2·2 + 3·4 + 4·5 = 37`. dy runs 1, 2, 3, 4, and the weights w[2,2], w[2,1], w[1,2], w[1,1] run backwards.',
      },
      points: ['panel:dx'],
      claims: [
        { tensor: 'w', at: [1, 1], value: 5 },
        { tensor: 'w', at: [1, 0], value: 6 },
        { tensor: 'w', at: [0, 1], value: 8 },
        { tensor: 'w', at: [0, 0], value: 9 },
      ],
      notes:
        'Put a coin under a paper window and slide the window to the right: in the window the coin goes left. Do it; it is worth more than the formula.',
    },
    {
      title: 'One cell in one step',
      link: `${FOUR}&mode=steps&steps.process=dx_gather&steps.t=0`,
      words: [
        '*Gather* is the way to compute dx from the side of dx: each cell looks up all windows that read it, collects their dy times the weight it lay under, and is finished.',
        'Scatter touches a cell again and again; gather writes it once. The numbers are the same.',
      ],
      formula: 'dx[r,s] = Σ{p,q} dy[r−p,s−q] · w[p,q]',
      task: {
        words: 'Step on to step 6, which makes dx[1,1].',
        goal: { kind: 'view', mode: 'steps', chosen: { process: 'dx_gather', t: 6 } },
        solution: 'steps.t=6',
        seen: 'There is the 77, in one step. Where r − p or s − q is outside of dy, there was no such window, and nothing is added.',
        claims: [{ tensor: 'dx', at: [1, 1], value: 77 }],
      },
      points: ['player'],
      notes: 'Look at the signs: forward has i + p, here stands r − p. Going forward in w means going backward in dy.',
    },
    {
      title: 'Turned by 180 degrees',
      link: `${FOUR}&cell=dx.5`,
      words: [
        'A sum that runs forwards in w and backwards in dy is awkward. So turn w by 180 degrees: 1, 2, 3 in the first row, 9 at the end. Now both run forwards, and gather is an ordinary convolution: of dy, with the turned w.',
        'dy gets a border of zeros, as wide as the kernel less one, so that every overlap counts: *full* padding, here 2.',
      ],
      task: {
        words: 'Open the view “dx” and look at the turned w over the padded dy.',
        goal: { kind: 'view', mode: 'dx' },
        solution: 'mode=dx',
        seen: 'dy is 2 × 2 and padded to 6 × 6; a kernel of 3 has 4 × 4 stops there: as many as dx has cells. At the stop for dx[1,1] the weights 5, 6, 8, 9 lie on 1, 2, 3, 4: 77 once more.',
        claims: [
          { tensor: 'dx', size: [4, 4] },
          { tensor: 'dx', at: [1, 1], value: 77 },
        ],
      },
      points: ['tab:dx'],
      notes:
        'Use the player in that view to go to stop 6. The same cell has now been seen three ways: scatter, gather, turned kernel.',
    },
    {
      title: 'If one forgets the turn',
      link: `${FOUR}&mode=dx`,
      words: [
        'The turn is the most forgotten step of all. Without it the same windows of dy meet the wrong weights: each cell hears its neighbours from the wrong side.',
      ],
      task: {
        words: 'Tick “skip the turn of w”.',
        goal: { kind: 'view', mode: 'dx', chosen: { unturned: true } },
        solution: 'dx.unturned=true',
        seen: 'The cell in row 1, column 1 becomes 1·5 + 2·4 + 3·2 + 4·1 = 23 in place of 77. With a symmetric kernel, a blur say, one would see no mistake at all: test with an asymmetric one.',
      },
      notes:
        'The turn exchanges rows and columns from the end, which is not the same as transposing w. Ask which of the two 23 comes from (neither: w was left as it is).',
    },
    {
      title: 'Not turned and turned: one story',
      link: `${FOUR}&cell=dx.5`,
      words: [
        'Forward, w is not turned: y[i,j] takes x[i+p, j+q] with w[p,q]. Backward, it seems turned. Both are the same four pairs of a cell of x and a cell of y, each pair with its one weight.',
        'From y one looks to the right and down, to the cells of its window. From x one looks to the left and up, to the windows that began before it. Looking back is the turn.',
      ],
      task: {
        words: 'Choose the cell of y in which x[1,1] met the weight w[0,0].',
        goal: { kind: 'cell', among: ['y.3'] },
        solution: 'cell=y.3',
        seen: 'Its window begins at x[1,1] itself: `y[1,1] = 372` is the last window that reads the cell, and gave it the last term, 4·9.',
        claims: [{ tensor: 'y', at: [1, 1], value: 372 }],
      },
      points: ['panel:y'],
      notes:
        'If the forward pass were a convolution of the mathematics books, with w turned, the backward pass would be without a turn. One of the two directions always has it.',
    },
  ],
};
