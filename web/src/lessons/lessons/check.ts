import type { Lesson } from '../lesson';

const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';
const CHECK = `${FOUR}&mode=gradient-check`;
const SMALL = 'h=4&kh=3&x=random:3&weights=filter:blur&dy=ones&mode=gradient-check';

export const lesson: Lesson = {
  order: 15,
  title: 'Is my gradient right?',
  sentence: 'Move a number a little, run forward twice, compare: a test that finds almost any wrong gradient.',
  steps: [
    {
      title: 'Check it numerically',
      link: `${FOUR}&cell=dw.0`,
      words: [
        'In the lesson on dw, `dw[0,0] = 34`: if that weight grows by a tiny ε (epsilon), the loss grows by 34 ε. You can measure that. Run the forward pass with the weight larger by ε, and again with the weight smaller by ε.',
        'The difference of the two losses, divided by 2ε, is the slope. It does not use the backward pass. This is the *gradient check*.',
      ],
      formula: 'dL/dw ≈ (L(w+ε) − L(w−ε)) / 2ε',
      task: {
        words: 'Open the view “Gradient check”.',
        goal: { kind: 'view', mode: 'gradient-check' },
        solution: 'mode=gradient-check',
        outcome:
          'The table has both losses, the finite difference, and below it the gradient of the backward pass. They agree.',
      },
      points: ['tab:gradient-check'],
      claims: [{ tensor: 'dw', at: [0, 0], value: 34 }],
      notes:
        'Every number in the table comes from a real run of the library. float32 has about 7 digits, float64 about 16.',
    },
    {
      title: 'For every gradient',
      link: CHECK,
      words: [
        'One cell may be right and another wrong: at the edge, in the last row, in the second image. So check all cells of dw, db and dx.',
        'The map shows the relative error of each cell: the difference of the two numbers, compared with their size.',
      ],
      task: {
        words: 'Check dx: choose it above the table.',
        goal: { kind: 'view', mode: 'gradient-check', chosen: { parameter: 'x' } },
        solution: 'gradient-check.parameter=x',
        outcome:
          'All 16 cells of dx agree. A forgotten flip, forgotten zeros or = in place of += would each highlight cells here.',
      },
      points: ['option:x'],
      notes:
        'To check your own program, choose odd sizes, padding, a stride that leaves a remainder, and a batch of 2. Square, even and symmetric problems hide mistakes.',
    },
    {
      title: 'A small step is not always better',
      link: SMALL,
      words: [
        'The loss here is a weighted sum of y, so it is a straight line in every weight. A large ε measures the slope as well as a small one. A tiny ε subtracts two nearly equal numbers, and few correct digits remain.',
        'With a curved loss, a large ε also gives a wrong slope.',
      ],
      task: {
        words: 'Choose the loss “log-cosh”, which is curved, and look at the chart.',
        goal: { kind: 'view', mode: 'gradient-check', chosen: { loss: 'log_cosh' } },
        solution: 'gradient-check.loss=log_cosh',
        outcome:
          'The error has the form of a U. If ε is too large, the curvature causes the error; if ε is too small, rounding does. The best ε is between.',
      },
      points: ['option:log_cosh'],
      notes:
        'The error of the central difference falls with ε², and the rounding error grows with 1/ε. So the best ε is about the cube root of the precision: 0.005 for float32, 0.00001 for float64.',
    },
    {
      title: 'More digits',
      link: `${SMALL}&gradient-check.loss=log_cosh&gradient-check.parameter=w&gradient-check.epsilon=0.0001`,
      words: [
        'In single precision (float32, about 7 digits), a step this small measures mostly rounding. Check in double precision (float64, about 16 digits), even if the program later runs in single precision.',
      ],
      task: {
        words: 'Set the precision of the map to float64.',
        goal: { kind: 'view', mode: 'gradient-check', chosen: { precision: 'float64' } },
        solution: 'gradient-check.precision=float64',
        outcome:
          'The errors fall by several powers of ten, and the gradient is confirmed. With a good ε, a right gradient in float64 has a relative error below 10⁻⁴ here. A mistake of 1 % stays at 10⁻².',
      },
      points: ['option:float64'],
      notes: 'PyTorch’s gradcheck expects double precision and says so in its error message.',
    },
  ],
};
