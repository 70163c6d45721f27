import type { Lesson } from '../lesson';

const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA&mode=lowering&lowering.part=fold';

export const lesson: Lesson = {
  order: 12,
  title: 'col2im adds',
  sentence: 'col2im adds the copies up. It does not average or overwrite, and it is not the inverse of im2col.',
  steps: [
    {
      title: 'col2im adds the copies back',
      link: `${FOUR}&lowering.folded=0`,
      words: [
        'dx_col has a gradient for every copy of a pixel. *col2im* adds each row to its window in dx. A pixel that was copied four times gets four terms.',
      ],
      task: {
        words: 'Add back all four rows with the player.',
        goal: { kind: 'view', mode: 'lowering', chosen: { folded: 4 } },
        solution: 'lowering.folded=4',
        outcome:
          'The same cell again: `dx[1,1] = 1·5 + 2·6 + 3·8 + 4·9 = 77`. col2im is scatter, with the stamps computed in advance.',
        claims: [{ tensor: 'dx', at: [1, 1], value: 77 }],
      },
      points: ['player'],
      notes:
        'Rows of dx_col are the stamps of the lesson on scatter. Caffe computed dx like this in 2014, and many libraries have done so since.',
    },
    {
      title: 'Why not the average?',
      link: `${FOUR}&lowering.mode=sum`,
      words: [
        'Students often ask: should the copies be averaged, so that the result does not depend on their number?',
        'No. If a pixel grows by 1, all its copies grow by 1, and each of them changes the loss. The changes add up.',
      ],
      task: {
        words: 'Choose “average” anyway, and look at dx[1,1].',
        goal: { kind: 'view', mode: 'lowering', chosen: { mode: 'average' } },
        solution: 'lowering.mode=average',
        outcome:
          '77 / 4 = 19.25. The gradient check on the page shows that this is not the gradient. If the pixel changes a little, the loss changes by 77 times as much.',
        claims: [{ tensor: 'dx', at: [1, 1], value: 77 }],
      },
      points: ['option:average'],
      notes:
        'PyTorch issue 21817 asks to change fold to averaging. The maintainers answer that fold is the derivative of unfold.',
    },
    {
      title: '= in place of +=',
      link: `${FOUR}&lowering.mode=sum`,
      words: [
        'In a program, adding is a single operator: dx[…] += copy. With = in its place, only the last copy remains.',
      ],
      task: {
        words: 'Choose “overwrite”.',
        goal: { kind: 'view', mode: 'lowering', chosen: { mode: 'overwrite' } },
        solution: 'lowering.mode=overwrite',
        outcome:
          'dx[1,1] is 36 = 4·9, the last of the four stamps. The corner `dx[0,0] = 9` is still right: only one window reads it. A test that looks at corners alone would pass.',
        claims: [{ tensor: 'dx', at: [0, 0], value: 9 }],
      },
      points: ['option:overwrite'],
      notes:
        'NumPy’s dx[index] += copy has the same mistake when an index occurs twice in one statement; np.add.at is right.',
    },
    {
      title: 'Not the inverse',
      link: `${FOUR}&lowering.mode=average`,
      words: [
        'Does col2im undo im2col? Apply im2col to x, then col2im. Each pixel is added as often as it was copied: 5 becomes 4 · 5 = 20. Averaging would undo it, adding does not.',
        'col2im is not the inverse of im2col but its *transpose*: the same connections, in the opposite direction. A gradient needs the transpose.',
      ],
      task: {
        words: 'Correct it: choose “add”.',
        goal: { kind: 'view', mode: 'lowering', chosen: { mode: 'sum' } },
        solution: 'lowering.mode=sum',
        outcome: '`dx[1,1] = 77`: the sum, and the gradient.',
        claims: [{ tensor: 'dx', at: [1, 1], value: 77 }],
      },
      points: ['option:sum'],
      notes:
        'PyTorch issue 7519: fold(unfold(x)) is not x. Dividing by fold(unfold(ones)) gives x back, which is what its documentation now says.',
    },
  ],
};
