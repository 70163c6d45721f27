import type { Lesson } from '../lesson';

const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';
const SINGLE = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=one_hot:0';

export const lesson: Lesson = {
  order: 7,
  title: 'dx by scatter',
  sentence: 'Each cell of dy adds a stamp of w to the cells of its window. Where stamps overlap, they add.',
  steps: [
    {
      title: 'One cell of dy, one stamp',
      link: `${SINGLE}&mode=dy`,
      words: [
        'Let only `y[0,0]` matter for the loss: dy is 1 there and 0 elsewhere. y[0,0] is the sum of nine cells of x, each times a weight. If such a cell grows by 1, y[0,0] grows by exactly that weight.',
        'So dx is w itself, stamped on the window: `dx[0,0] = 9`, and in the middle of the window `dx[1,1] = 5`.',
      ],
      task: {
        words: 'Choose the bottom right cell of dy: the single 1 moves there.',
        goal: { kind: 'single', index: 3 },
        solution: 'dy=one_hot:3',
        outcome:
          'The stamp moved to the last window, rows 1 to 3. Now `dx[1,1] = 9`: the same cell of x, with another weight.',
      },
      points: ['panel:dy'],
      notes:
        'The stamp is w itself, not flipped. The flip appears in the next lesson, where we compute a single cell of dx.',
    },
    {
      title: 'Stamps overlap and add up',
      link: `${FOUR}&mode=dx&dx.way=scatter&dx.t=1`,
      words: [
        'With all of dy there are four stamps, each w times its own dy: 1, 2, 3 and 4 times w. A cell of x that several windows read gets several stamps, and its gradient is their sum.',
        'That is *scatter*: each cell of dy adds its share to every cell of its window.',
      ],
      formula: 'dx[i+p,j+q] += dy[i,j] · w[p,q]',
      task: {
        words: 'Step on until all four stamps are done, and watch dx[1,1].',
        goal: { kind: 'view', mode: 'dx', chosen: { way: 'scatter', t: 4 } },
        solution: 'dx.t=4',
        outcome:
          'dx[1,1] went 5, 17, 41, 77, because all four windows read it: `dx[1,1] = 1·5 + 2·6 + 3·8 + 4·9 = 77`.',
        claims: [{ tensor: 'dx', at: [1, 1], value: 77 }],
      },
      points: ['player'],
      notes:
        '+= means: add to the value that is there. We follow the cell dx[1,1] through this lesson and the next. Write its sum on the board and leave it there.',
    },
    {
      title: 'How many stamps each cell gets',
      link: `${FOUR}&cell=dx.5`,
      words: [
        'In a 4 × 4 input with four windows, the middle cells are read four times and the corners once: `dx[0,0] = 1·9 = 9`.',
        'So a gradient is often larger in the middle of an image than at its edge. The only reason is the number of windows.',
      ],
      task: {
        words: 'Choose a cell of dx that gets exactly two stamps.',
        goal: { kind: 'read', times: 2 },
        solution: 'cell=dx.1',
        outcome:
          'Along the edges, between the corners, two windows read every cell. `dx[0,1] = 1·8 + 2·9 = 26` is such a cell.',
      },
      points: ['panel:dx'],
      claims: [{ tensor: 'dx', at: [0, 0], value: 9 }],
      notes:
        'The view “Sizes and coverage” draws this count as a map. With padding the corners are read more often, as in the lesson on padding.',
    },
    {
      title: 'The same weight, forward and back',
      link: `${FOUR}&cell=y.0`,
      words: [
        'Forward, x[1,1] is multiplied by w[1,1] and added to y[0,0]. Backward, dy[0,0] is multiplied by the same w[1,1] and added to dx[1,1].',
        'Every product of the forward pass has such a counterpart in the backward pass. It has the same weight, in the opposite direction.',
      ],
      task: {
        words: 'Choose the cell of dx that we followed, `dx[1,1] = 77`, and read the four products of its sum.',
        goal: { kind: 'cell', among: ['dx.5'] },
        solution: 'cell=dx.5',
        outcome:
          'There are four products because four windows read x[1,1]. The explanation shows the sum from the side of dx: which dy, times which weight. The next lesson continues there.',
      },
      points: ['panel:dx'],
      notes:
        'In matrix form: forward is y = C x, and backward is dx = Cᵀ dy, with rows and columns exchanged. The lesson on transposed convolution explains it.',
    },
  ],
};
