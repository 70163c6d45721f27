import type { Lesson } from '../lesson';

const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';

export const lesson: Lesson = {
  order: 6,
  title: 'dw: the gradient of a weight',
  sentence: 'Every position of the window uses each weight, so its gradient is a sum over all positions.',
  steps: [
    {
      title: 'One weight, four products',
      link: `${FOUR}&cell=w.0`,
      words: [
        'The window has four positions here. The top left weight `w[0,0]` multiplies a different cell of x at each: 0, 1, 4 and 5. The same four cells are marked in dx, which has the shape of x.',
        'So if w[0,0] grows by 1, the four cells of y grow by 0, 1, 4 and 5.',
      ],
      task: {
        words: 'Choose the weight that multiplies the bottom right cell of x, 15, at the last position.',
        goal: { kind: 'cell', among: ['w.8'] },
        solution: 'cell=w.8',
        outcome:
          'That is `w[2,2] = 1`. At the four positions it multiplies `x[2,2] = 10`, `x[2,3] = 11`, `x[3,2] = 14` and `x[3,3] = 15`.',
      },
      points: ['panel:w'],
      claims: [
        { tensor: 'x', at: [0, 0], value: 0 },
        { tensor: 'x', at: [0, 1], value: 1 },
        { tensor: 'x', at: [1, 0], value: 4 },
        { tensor: 'x', at: [1, 1], value: 5 },
      ],
      notes:
        'x counts from 0 to 15, so each value of x is also the index of its cell. dy is given as 1, 2, 3, 4: all different, so that nothing cancels by accident.',
    },
    {
      title: 'Each product is multiplied by its dy',
      link: `${FOUR}&cell=dw.0`,
      words: [
        'A change of y[i,j] changes the loss by dy[i,j] times as much. So multiply each cell of x that the weight meets by the dy of that position, and add.',
      ],
      formula: 'dw[0,0] = 1·0 + 2·1 + 3·4 + 4·5 = 34',
      task: {
        words: 'Work out `dw[0,1]` on paper: that weight multiplies 1, 2, 5 and 6. Then choose it.',
        goal: { kind: 'cell', among: ['dw.1'] },
        solution: 'cell=dw.1',
        outcome: '`dw[0,1] = 1·1 + 2·2 + 3·5 + 4·6 = 44`.',
      },
      points: ['panel:dw'],
      claims: [{ tensor: 'dw', at: [0, 0], value: 34 }],
      notes:
        'dw always has the size of w. It says how the loss changes with each weight. So training moves w a little in the opposite direction: w − rate · dw.',
    },
    {
      title: 'One window at a time',
      link: `${FOUR}&mode=dw&dw.way=direct&dw.accumulated=0`,
      words: [
        'You can also go position by position. Multiply the whole window of x by the one dy of that position, and add it to dw. dw starts at 0.',
        'The sums are the same, only in another order.',
      ],
      task: {
        words: 'Go two steps forward with the player.',
        goal: { kind: 'view', mode: 'dw', chosen: { way: 'direct', accumulated: 2 } },
        solution: 'dw.accumulated=2',
        outcome:
          'After two positions the top left cell of dw holds 1·0 + 2·1 = 2. These are the first two products of the sum from before. The last two positions add 12 and 20.',
      },
      points: ['player'],
      notes:
        'Pause before each step and let a student name the window and its dy. Because every position adds, a program that writes = in place of += keeps only the last position.',
    },
    {
      title: 'It is a convolution again',
      link: `${FOUR}&cell=dw.4&dw.t=5`,
      words: [
        'Compare the two formulas: y is x with w as its kernel, dw is x with dy as its kernel. dy is not flipped and not padded: it slides over x.',
      ],
      formula: 'dw[p,q] = Σ{i,j} x[i+p,j+q] · dy[i,j]',
      task: {
        words: 'Open the view “dw & db” and choose “x convolved with dy”.',
        goal: { kind: 'view', mode: 'dw', chosen: { way: 'dilated_dy' } },
        solution: 'mode=dw&dw.way=dilated_dy',
        outcome:
          'dy is 2 × 2 and x is 4 × 4, so there are 3 × 3 positions. w has exactly as many weights. Each position gives one cell of dw. Position 5, in the middle, gives `dw[1,1] = 84`.',
        claims: [
          { tensor: 'dw', size: [3, 3] },
          { tensor: 'dy', size: [2, 2] },
        ],
      },
      points: ['tab:dw', 'option:dilated_dy'],
      notes:
        'With a stride, zeros are inserted into dy first: the windows of x are that far apart. The same view shows it; set the stride to 2 there.',
    },
  ],
};
