import type { Lesson } from '../lesson';

const FLAT = 'h=5&kh=3&x=ones&weights=ones&dy=ones';

export const lesson: Lesson = {
  place: 3,
  title: 'Padding, and what SAME means',
  sentence: 'Zeros around x keep y from shrinking, and let the edge be seen as often as the middle.',
  steps: [
    {
      title: 'The edge is read too seldom',
      link: `${FLAT}&cell=x.12`,
      words: [
        'Here x and w are all 1, so each cell of y counts the cells of its window: 9. The chosen cell `x[2,2]`, in the middle, is read by 9 windows: all of them.',
        'What about the corners?',
      ],
      task: {
        words: 'Find a cell of x that is read by a single window, and choose it.',
        goal: { kind: 'read', times: 1 },
        solution: 'cell=x.0',
        seen: 'Each of the four corners is read once: only one window reaches it. What stands at the edge of a picture has little say in y, and with every layer y shrinks by two rows and columns more.',
      },
      points: ['panel:x'],
      claims: [
        { tensor: 'y', at: [0, 0], value: 9 },
        { reads: [2, 2], count: 9 },
      ],
      notes:
        'The panel below lists what a cell of x feeds. The view Geometry shows the same as a map, for any problem.',
    },
    {
      title: 'A ring of zeros',
      link: `${FLAT}&cell=y.0`,
      words: [
        '*Padding* puts zeros around x (dotted on the page). The window may then stand half outside, and more stops fit; without it y is 3 × 3.',
        'The zeros take part in the sums but change none: a product with 0 is 0.',
      ],
      task: {
        words: 'Choose the padding “custom” and set it to 1 on all sides.',
        goal: {
          kind: 'sizes',
          are: { padding_mode: 'explicit_sides', padding: { top: 1, bottom: 1, left: 1, right: 1 } },
        },
        solution: 'padding=1',
        seen: 'Now y is 5 × 5, as large as x. `y[0,0] = 4`: the corner’s window has four cells of x in it and five zeros. Brightness seems to fall towards the edge: that is what zeros there mean.',
        claims: [
          { tensor: 'y', size: [5, 5] },
          { tensor: 'y', at: [0, 0], value: 4 },
        ],
      },
      points: ['option:explicit_sides', 'field:padding.top'],
      claims: [{ tensor: 'y', size: [3, 3] }],
      notes:
        'y was 3 × 3. Other paddings exist (mirrored, repeated edge); zeros are what layers of networks use by far most.',
    },
    {
      title: 'valid, same, full',
      link: `${FLAT}&padding=valid&cell=y.0`,
      words: [
        'Three amounts have names. *valid* is none: only windows that lie wholly in x. *full* is so much that every product of a cell of x with a weight appears: kernel − 1 on each side. *same* is what keeps y as large as x.',
        'With valid, as now, y is 3 × 3. The formula gets a P, the padding of both sides together:',
      ],
      formula: 'oh = floor((h + P − kh) / s) + 1',
      task: {
        words: 'Choose “full”. Say first how large y will be.',
        goal: { kind: 'sizes', are: { padding_mode: 'full' } },
        solution: 'padding=full',
        seen: 'Two zeros on each side, P = 4: 5 + 4 − 3 + 1 = 7, so y is 7 × 7. Now every cell of x is read by 9 windows, the corners too. Full padding comes back in the lesson on dx.',
        claims: [
          { tensor: 'y', size: [7, 7] },
          { reads: [0, 0], count: 9 },
        ],
      },
      points: ['option:full'],
      claims: [{ tensor: 'y', size: [3, 3] }],
      notes: 'With valid y is 3 × 3, with same 5 × 5, with full 7 × 7. Let them predict all three.',
    },
    {
      title: 'What SAME means with a stride',
      link: 'h=6&kh=3&stride=2&padding=valid&x=ones&weights=ones&dy=ones&cell=y.0',
      words: [
        'With a stride y cannot stay as large as x. *same* then means: as many outputs as the input divided by the stride, rounded up. Just enough zeros are added for that.',
        'Here x is 6 × 6 and the stride 2, so three outputs are wanted, and one row of zeros is enough. But on which side?',
      ],
      task: {
        words: 'Choose “same” and look where the dotted cells are.',
        goal: { kind: 'sizes', are: { padding_mode: 'same' } },
        solution: 'padding=same',
        seen: 'y is 3 × 3. The odd row and column of zeros went to the bottom and to the right: that is TensorFlow’s rule. `y[2,2] = 4`, where both meet, but `y[0,0] = 9`.',
        claims: [
          { tensor: 'y', size: [3, 3] },
          { tensor: 'y', at: [2, 2], value: 4 },
          { tensor: 'y', at: [0, 0], value: 9 },
        ],
      },
      points: ['option:same'],
      notes:
        'PyTorch’s padding=1 puts zeros on all four sides instead: same sizes, other numbers. Networks that are carried from one framework to the other are off by half a cell if one forgets it. PyTorch refuses padding="same" with a stride for this reason.',
    },
  ],
};
