import type { Lesson } from '../lesson';

const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';

export const lesson: Lesson = {
  place: 6,
  title: 'dw: what each weight hears',
  sentence: 'A weight is used at every stop of the window, so its gradient is a sum over all stops.',
  steps: [
    {
      title: 'One weight, four products',
      link: `${FOUR}&cell=w.0`,
      words: [
        'The window has four stops here. The top left weight `w[0,0]` lies on another cell of x at each: on 0, 1, 4 and 5. The same four places are marked in dx, which lies as x does.',
        'So if w[0,0] grows by 1, the four cells of y grow by 0, 1, 4 and 5.',
      ],
      task: {
        words: 'Choose the weight that lies on the bottom right cell of x, 15, at the last stop.',
        goal: { kind: 'cell', among: ['w.8'] },
        solution: 'cell=w.8',
        seen: 'That is `w[2,2] = 1`. Over the four stops it lies on `x[2,2] = 10`, `x[2,3] = 11`, `x[3,2] = 14` and `x[3,3] = 15`.',
      },
      points: ['panel:w'],
      claims: [
        { tensor: 'x', at: [0, 0], value: 0 },
        { tensor: 'x', at: [0, 1], value: 1 },
        { tensor: 'x', at: [1, 0], value: 4 },
        { tensor: 'x', at: [1, 1], value: 5 },
      ],
      notes:
        'x counts from 0 to 15, so the numbers of x are also the numbers of its cells. dy is 1, 2, 3, 4: given, and each different, so that nothing cancels by accident.',
    },
    {
      title: 'Each product is worth its dy',
      link: `${FOUR}&cell=dw.0`,
      words: [
        'A change of y[i,j] changes the loss by dy[i,j] times as much. So the weight’s whole effect on the loss is: each cell of x that it lay on, times the dy of that stop, added up.',
      ],
      formula: 'dw[0,0] = 1·0 + 2·1 + 3·4 + 4·5 = 34',
      task: {
        words: 'Work out `dw[0,1]` on paper: that weight lies on 1, 2, 5 and 6. Then choose it.',
        goal: { kind: 'cell', among: ['dw.1'] },
        solution: 'cell=dw.1',
        seen: '`dw[0,1] = 1·1 + 2·2 + 3·5 + 4·6 = 44`.',
      },
      points: ['panel:dw'],
      claims: [{ tensor: 'dw', at: [0, 0], value: 34 }],
      notes:
        'dw has the size of w, always. It says how the loss changes with each weight, so training moves w a little against it: w − rate · dw.',
    },
    {
      title: 'Seen from the window',
      link: `${FOUR}&mode=steps&steps.process=dw_accumulate&steps.t=0`,
      words: [
        'One can also go stop by stop: the whole window of x, times the one dy of that stop, is added to dw. dw starts at 0 and grows.',
        'The sums are the same, only in another order.',
      ],
      task: {
        words: 'Go two steps on with the player.',
        goal: { kind: 'view', mode: 'steps', chosen: { process: 'dw_accumulate', t: 2 } },
        solution: 'steps.t=2',
        seen: 'After two stops the top left cell of dw holds 1·0 + 2·1 = 2: the first two products of the sum from before. The last two stops add 12 and 20.',
      },
      points: ['player'],
      notes:
        'Stop before each step and let somebody name the window and its dy. Because every stop adds, a program that writes = in place of += keeps only the last stop.',
    },
    {
      title: 'It is a convolution again',
      link: `${FOUR}&cell=dw.4`,
      words: [
        'Compare the two formulas: y is x with w as its kernel, dw is x with dy as its kernel. Not turned, not padded: dy simply slides over x.',
      ],
      formula: 'dw[p,q] = Σ{i,j} x[i+p,j+q] · dy[i,j]',
      task: {
        words: 'Open the view “dw and db” and choose “x convolved with dy”.',
        goal: { kind: 'view', mode: 'dw', chosen: { way: 'dilated_dy' } },
        solution: 'mode=dw&dw.way=dilated_dy',
        seen: 'dy is 2 × 2 and x is 4 × 4, so there are 3 × 3 stops: exactly as many as w has weights. Each stop makes one cell of dw; the middle one is `dw[1,1] = 84`.',
        claims: [
          { tensor: 'dw', size: [3, 3] },
          { tensor: 'dy', size: [2, 2] },
        ],
      },
      points: ['tab:dw', 'option:dilated_dy'],
      notes:
        'With a stride, dy is spread out by that stride first: the stops of dw count the cells that the windows jumped over. The same view shows it; set the stride to 2 there.',
    },
  ],
};
