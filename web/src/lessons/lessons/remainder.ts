import type { Lesson } from '../lesson';

const SIX = 'h=6&kh=3&stride=2&x=random:5&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';

export const lesson: Lesson = {
  order: 10,
  title: 'The remainder, and why frameworks ask for the input size',
  sentence: 'If the stride does not divide evenly, some rows are never read, and the backward pass must know how many.',
  steps: [
    {
      title: 'Rows that are never read',
      link: `${SIX}&cell=y.3`,
      words: [
        'A window of 3 with stride 2 over 6 rows begins at 0 and at 2. A third position at 4 would go beyond the edge. floor((6 − 3) / 2) + 1 = 2 positions, and one row is left over: the *remainder*. The same is true of the columns.',
        'The page hatches these cells.',
      ],
      task: {
        words: 'Choose a cell of x, or of dx, that no window reads.',
        goal: { kind: 'read', times: 0 },
        solution: 'cell=dx.35',
        outcome:
          'No output uses it, so its gradient is exactly 0: `dx[5,5] = 0`. This is not an approximation: changing that cell changes no output at all.',
      },
      points: ['panel:dx'],
      claims: [{ reads: [5, 5], count: 0 }],
      notes:
        'Several visualizers on the web report an error here, and some programs crash. Frameworks do not: they all round down.',
    },
    {
      title: 'Two inputs, one output size',
      link: `${SIX}&cell=y.3`,
      words: ['y is 2 × 2 here. What if you remove the last row and column of x, which no window reads?'],
      task: {
        words: 'Set height and width to 5.',
        goal: { kind: 'sizes', are: { h: 5, w: 5 } },
        solution: 'h=5&w=5',
        outcome:
          'y is still 2 × 2, with the same values. From the size of y, or of dy, you cannot tell whether x had 5 rows or 6.',
        claims: [{ tensor: 'y', size: [2, 2] }],
      },
      points: ['field:h', 'field:w'],
      claims: [{ tensor: 'y', size: [2, 2] }],
      notes:
        'With stride s there are s input sizes for each output size. With stride 1 there is only one, so the question did not come up before.',
    },
    {
      title: 'The backward pass needs the size of x',
      link: `${SIX}&mode=dx&dx.stage=padded`,
      words: [
        'dx must have the shape of x, which dy does not determine. So every library asks for it. TensorFlow wants input_sizes, oneDNN the description of diff_src, and PyTorch’s transposed convolution *output_padding*.',
        'All mean the same: how many rows and columns with gradient 0 to append.',
      ],
      task: {
        words: 'Choose “3 remainder”.',
        goal: { kind: 'view', mode: 'dx', chosen: { stage: 'remainder' } },
        solution: 'dx.stage=remainder',
        outcome:
          'After the inserted zeros, one more row and column of zeros are appended at the end. That makes 4 × 4 in place of 3 × 3. Without them dx would be 5 × 5, too small by one.',
      },
      points: ['option:remainder'],
      notes:
        'output_padding is a misleading name. It does not pad the output with zeros: it says which of the possible sizes the output has.',
    },
    {
      title: 'All sizes that fit',
      link: `${SIX}&mode=dx`,
      words: [
        'For any kernel, stride, padding and dilation you can list the input sizes that give the same output. You can also count how often each row and column is read.',
      ],
      task: {
        words: 'Open the view “Sizes and coverage”.',
        goal: { kind: 'view', mode: 'geometry' },
        solution: 'mode=geometry',
        outcome:
          'It lists 5 and 6 as the heights with the same output. Try other strides there: with 3 there are three such heights.',
      },
      points: ['tab:geometry'],
      notes:
        'The solver in that view answers “I want an output of 8: which stride?”. It is good for homework: solve on paper, then check on the page.',
    },
  ],
};
