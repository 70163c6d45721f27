import type { Lesson } from '../lesson';

const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';
const CHECK = `${FOUR}&mode=gradient-check`;
const SMALL = 'h=4&kh=3&x=random:3&weights=filter:blur&dy=ones&mode=gradient-check';

export const lesson: Lesson = {
  place: 15,
  title: 'Is my gradient right?',
  sentence: 'Move a number a little, run forward twice, compare: the test that finds every wrong gradient.',
  steps: [
    {
      title: 'Believe nothing: measure',
      link: `${FOUR}&cell=dw.0`,
      words: [
        'We said `dw[0,0] = 34`: if that weight grows by a tiny ε (epsilon), the loss grows by 34 ε. That can be tried. Make the weight larger by ε and run the forward pass, make it smaller by ε and run it again.',
        'The difference of the two losses, divided by the distance 2ε, is the slope, with no theory of backward passes in it. This is the *gradient check*.',
      ],
      formula: 'dL/dw ≈ (L(w+ε) − L(w−ε)) / 2ε',
      task: {
        words: 'Open the view “Gradient check”.',
        goal: { kind: 'view', mode: 'gradient-check' },
        solution: 'mode=gradient-check',
        seen: 'The table has both losses, their quotient, and below it the gradient of the backward pass. They agree.',
      },
      points: ['tab:gradient-check'],
      claims: [{ tensor: 'dw', at: [0, 0], value: 34 }],
      notes:
        'Every number in the table is a real run of the library, in single and in double precision (float32 has about 7 digits, float64 about 16).',
    },
    {
      title: 'For every gradient',
      link: CHECK,
      words: [
        'What is right for one cell may be wrong for another: at the edge, in the last row, in the second image. So all cells are checked, of dw, of db and of dx.',
        'The map shows the relative error of each cell: how far apart the two numbers are, compared with how large they are.',
      ],
      task: {
        words: 'Check dx: choose it above the table.',
        goal: { kind: 'view', mode: 'gradient-check', chosen: { parameter: 'x' } },
        solution: 'gradient-check.parameter=x',
        seen: 'All 16 cells of dx agree. A forgotten turn, forgotten zeros or a = in place of += would each light up cells here.',
      },
      points: ['option:x'],
      notes:
        'Choose odd sizes, padding, a stride that leaves a remainder and a batch of 2 when checking a program of one’s own: mistakes hide in square, even, symmetric problems.',
    },
    {
      title: 'A small step is not always better',
      link: SMALL,
      words: [
        'The loss here is a weighted sum of y, so it is a straight line in every weight: a large ε measures the slope as well as a small one. A tiny ε only subtracts two nearly equal numbers, and the digits that differ are used up.',
        'With a curved loss a large ε goes wrong too.',
      ],
      task: {
        words: 'Choose the loss “log-cosh”, which is curved, and look at the plot.',
        goal: { kind: 'view', mode: 'gradient-check', chosen: { loss: 'log_cosh' } },
        solution: 'gradient-check.loss=log_cosh',
        seen: 'The error has the form of a U: too large a step bends, too small a step rounds. The best step lies between.',
      },
      points: ['option:log_cosh'],
      notes:
        'The error of the central difference falls with ε², that of rounding grows with 1/ε; so the best ε is about the cube root of the precision: 0.005 for float32, 0.00001 for float64.',
    },
    {
      title: 'More digits',
      link: `${SMALL}&gradient-check.loss=log_cosh&gradient-check.parameter=w&gradient-check.epsilon=0.0001`,
      words: [
        'In single precision (float32, about 7 digits) a check can hardly tell a wrong gradient from rounding. That is why one checks in double precision (float64, about 16 digits), even if the program later runs in single.',
      ],
      task: {
        words: 'Set the precision of the map to float64.',
        goal: { kind: 'view', mode: 'gradient-check', chosen: { precision: 'float64' } },
        solution: 'gradient-check.precision=float64',
        seen: 'The errors fall by several powers of ten. A relative error of 10⁻⁷ or less is a right gradient; 10⁻² is a mistake, however small it looks.',
      },
      points: ['option:float64'],
      notes: 'PyTorch’s gradcheck insists on double precision and says so in its error message.',
    },
  ],
};
