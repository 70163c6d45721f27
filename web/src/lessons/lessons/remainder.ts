import type { Lesson } from '../lesson';

const SIX = 'h=6&kh=3&stride=2&x=random:5&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';

export const lesson: Lesson = {
  place: 10,
  title: 'The remainder, and why frameworks ask for the input size',
  sentence: 'A stride that does not divide leaves rows that nobody reads; going back, one must know of them.',
  steps: [
    {
      title: 'Rows that nobody reads',
      link: `${SIX}&cell=y.3`,
      words: [
        'A window of 3 with stride 2 over 6 rows: it begins at 0 and at 2, and a third stop at 4 would reach beyond the edge. floor((6 − 3) / 2) + 1 = 2 stops, and one row is left over: the *remainder*. The same for columns.',
        'The page hatches them.',
      ],
      task: {
        words: 'Choose a cell of x, or of dx, that no window reads.',
        goal: { kind: 'read', times: 0 },
        solution: 'cell=dx.35',
        seen: 'It feeds nothing, so its gradient is exactly 0: `dx[5,5] = 0`. Not a small number and not unknown: changing that cell changes no output at all.',
      },
      points: ['panel:dx'],
      claims: [{ reads: [5, 5], count: 0 }],
      notes:
        'Several visualisers on the web call this an error, and some programs crash here. No framework does: they all round down.',
    },
    {
      title: 'Two inputs, one output size',
      link: `${SIX}&cell=y.3`,
      words: ['y is 2 × 2 here. What if the last row and column of x, which nobody reads, were not there at all?'],
      task: {
        words: 'Set height and width to 5.',
        goal: { kind: 'sizes', are: { h: 5, w: 5 } },
        solution: 'h=5&w=5',
        seen: 'y is 2 × 2 still, with the same numbers in it. From the size of y, or of dy, one cannot say whether x had 5 rows or 6.',
        claims: [{ tensor: 'y', size: [2, 2] }],
      },
      points: ['field:h', 'field:w'],
      claims: [{ tensor: 'y', size: [2, 2] }],
      notes:
        'With stride s there are s input sizes for each output size. With stride 1 there is only one, which is why the question never came up before.',
    },
    {
      title: 'Going back, one has to say it',
      link: `${SIX}&mode=dx&dx.stage=padded`,
      words: [
        'dx must have the shape of x. From dy alone that does not follow, so every library asks: TensorFlow wants input_sizes, oneDNN the description of diff_src, and PyTorch’s transposed convolution *output_padding*.',
        'All mean the same: how many rows and columns to append that get nothing.',
      ],
      task: {
        words: 'Choose the stage “3 remainder”.',
        goal: { kind: 'view', mode: 'dx', chosen: { stage: 'remainder' } },
        solution: 'dx.stage=remainder',
        seen: 'After the zeros between, one row and one column of zeros more are appended at the end: 4 × 4 in place of 3 × 3. Leave them out and dx is 5 × 5, too small by one.',
      },
      points: ['option:remainder'],
      notes:
        'output_padding is a misleading name: it does not pad the output with zeros, it says which of the possible sizes the output has.',
    },
    {
      title: 'All sizes that fit',
      link: `${SIX}&mode=dx`,
      words: [
        'For any kernel, stride, padding and dilation one can list the inputs that give the same output, and which rows and columns are read how often.',
      ],
      task: {
        words: 'Open the view “Geometry”.',
        goal: { kind: 'view', mode: 'geometry' },
        solution: 'mode=geometry',
        seen: 'It lists 5 and 6 as the heights with the same output. Try other strides there: with 3 there will be three of them.',
      },
      points: ['tab:geometry'],
      notes:
        'The solver in that view answers “I want an output of 8: which stride?”. Good for homework with pencil and paper, checked afterwards.',
    },
  ],
};
