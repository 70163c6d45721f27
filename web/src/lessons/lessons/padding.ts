import type { Lesson } from '../lesson';

const FLAT = 'h=5&kh=3&x=ones&weights=ones&dy=ones';

export const lesson: Lesson = {
  order: 3,
  title: 'Padding, and what SAME means',
  sentence: 'Zeros around x keep y as large as x, and let more windows read the cells at the edge.',
  steps: [
    {
      title: 'The edge is read less often',
      link: `${FLAT}&cell=x.12`,
      words: [
        'Here x and w are all 1, so each cell of y counts the cells of its window: 9. The chosen cell `x[2,2]`, in the middle, is read by all 9 windows.',
        'What about the corners?',
      ],
      task: {
        words: 'Find a cell of x that is read by a single window, and choose it.',
        goal: { kind: 'read', times: 1 },
        solution: 'cell=x.0',
        outcome:
          'Each of the four corners is read once: only one window contains it. So the edge of an image has little influence on y. Each layer without padding also makes y two rows and columns smaller.',
      },
      points: ['panel:x'],
      claims: [
        { tensor: 'y', at: [0, 0], value: 9 },
        { reads: [2, 2], count: 9 },
      ],
      notes:
        'The panel below lists the cells of y that use a cell of x. The view “Sizes and coverage” shows the same as a map, for any problem.',
    },
    {
      title: 'A ring of zeros',
      link: `${FLAT}&cell=y.0`,
      words: [
        '*Padding* puts zeros around x (dotted on the page). The window can then be partly outside x, so there are more positions. Without padding y is 3 × 3.',
        'The zeros are part of the sums but do not change them: a product with 0 is 0.',
      ],
      task: {
        words: 'Choose the padding “custom” and set it to 1 on all sides.',
        goal: {
          kind: 'sizes',
          are: { padding_mode: 'explicit_sides', padding: { top: 1, bottom: 1, left: 1, right: 1 } },
        },
        solution: 'padding=1',
        outcome:
          'Now y is 5 × 5, as large as x. `y[0,0] = 4`: the window at the corner has four cells of x and five zeros. Values fall towards the edge because of these zeros.',
        claims: [
          { tensor: 'y', size: [5, 5] },
          { tensor: 'y', at: [0, 0], value: 4 },
        ],
      },
      points: ['option:explicit_sides', 'field:padding.top'],
      claims: [{ tensor: 'y', size: [3, 3] }],
      notes: 'Other paddings exist (mirrored, repeated edge). Network layers mostly use zeros.',
    },
    {
      title: 'valid, same, full',
      link: `${FLAT}&padding=valid&cell=y.0`,
      words: [
        'Three amounts have names. *valid* means none: every window is inside x. *same* keeps y as large as x. *full* pads kernel − 1 on each side, so that every cell of x meets every weight.',
        'With valid, as now, y is 3 × 3. The formula now contains P, the padding of both sides together:',
      ],
      formula: 'oh = floor((h + P − kh) / s) + 1',
      task: {
        words: 'Choose “full”. Predict the size of y first.',
        goal: { kind: 'sizes', are: { padding_mode: 'full' } },
        solution: 'padding=full',
        outcome:
          'Two zeros on each side, P = 4: 5 + 4 − 3 + 1 = 7, so y is 7 × 7. Now 9 windows read every cell of x, the corners too. The lesson on dx uses full padding again.',
        claims: [
          { tensor: 'y', size: [7, 7] },
          { reads: [0, 0], count: 9 },
        ],
      },
      points: ['option:full'],
      claims: [{ tensor: 'y', size: [3, 3] }],
      notes: 'With valid y is 3 × 3, with same 5 × 5, with full 7 × 7. Let the class predict all three.',
    },
    {
      title: 'What SAME means with a stride',
      link: 'h=6&kh=3&stride=2&padding=valid&x=ones&weights=ones&dy=ones&cell=y.0',
      words: [
        'With a stride y cannot stay as large as x. Then *same* means: the input size divided by the stride, rounded up. Padding adds the zeros that this needs.',
        'Here x is 6 × 6 and the stride is 2, so y needs three rows and three columns. One row of zeros is enough. But on which side?',
      ],
      task: {
        words: 'Choose “same” and look where the dotted cells are.',
        goal: { kind: 'sizes', are: { padding_mode: 'same' } },
        solution: 'padding=same',
        outcome:
          'y is 3 × 3. The odd row and column of zeros are at the bottom and at the right: that is TensorFlow’s rule. `y[2,2] = 4`, where both meet, but `y[0,0] = 9`.',
        claims: [
          { tensor: 'y', size: [3, 3] },
          { tensor: 'y', at: [2, 2], value: 4 },
          { tensor: 'y', at: [0, 0], value: 9 },
        ],
      },
      points: ['option:same'],
      notes:
        'PyTorch’s padding=1 puts zeros on all four sides instead: same sizes, different values. If you move a network between frameworks and forget this, it is off by half a cell. PyTorch refuses padding="same" with a stride for this reason.',
    },
  ],
};
