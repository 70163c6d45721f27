import type { Lesson } from '../lesson';

const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA&mode=lowering&lowering.part=fold';

export const lesson: Lesson = {
  place: 12,
  title: 'col2im adds',
  sentence: 'Copies fly home and are added: not averaged, not overwritten, and not the inverse of im2col.',
  steps: [
    {
      title: 'The copies come home',
      link: `${FOUR}&lowering.folded=0`,
      words: [
        'dx_col has a gradient for every copy of a pixel. *col2im* takes each row back to its window in dx and adds it there. What was copied four times gets four contributions.',
      ],
      task: {
        words: 'Fold back all four rows with the player.',
        goal: { kind: 'view', mode: 'lowering', chosen: { folded: 4 } },
        solution: 'lowering.folded=4',
        seen: 'Our cell again: `dx[1,1] = 1·5 + 2·6 + 3·8 + 4·9 = 77`. It is scatter, with the stamps computed beforehand.',
        claims: [{ tensor: 'dx', at: [1, 1], value: 77 }],
      },
      points: ['player'],
      notes:
        'Rows of dx_col are the stamps of the lesson on scatter. This is how Caffe computed dx in 2014, and many libraries since.',
    },
    {
      title: 'Why not the average?',
      link: `${FOUR}&lowering.mode=sum`,
      words: [
        'A question that is asked again and again: should copies not be averaged, so that the result does not depend on how often a pixel was copied?',
        'No. If a pixel grows by 1, all its copies grow by 1, and each of them changes the loss. The changes add up.',
      ],
      task: {
        words: 'Choose “average” all the same, and look at dx[1,1].',
        goal: { kind: 'view', mode: 'lowering', chosen: { mode: 'average' } },
        solution: 'lowering.mode=average',
        seen: '77 / 4 = 19.25. The gradient check on the page says that this is no gradient: nudge the pixel and the loss changes by 77 times the nudge.',
        claims: [{ tensor: 'dx', at: [1, 1], value: 77 }],
      },
      points: ['option:average'],
      notes:
        'PyTorch issue 21817 asks to change fold to averaging; the maintainers answer that it is the derivative of unfold.',
    },
    {
      title: 'One sign forgotten',
      link: `${FOUR}&lowering.mode=sum`,
      words: [
        'In a program the sum is a single sign: dx[…] += copy. Whoever writes = keeps only the copy that came last.',
      ],
      task: {
        words: 'Choose “overwrite”.',
        goal: { kind: 'view', mode: 'lowering', chosen: { mode: 'overwrite' } },
        solution: 'lowering.mode=overwrite',
        seen: 'dx[1,1] is 36 = 4·9, the last of the four stamps. The corner `dx[0,0] = 9` is still right: only one window reads it. A test that looks at corners alone would pass.',
        claims: [{ tensor: 'dx', at: [0, 0], value: 9 }],
      },
      points: ['option:overwrite'],
      notes:
        'NumPy’s dx[index] += copy has the same fault when an index occurs twice in one statement; np.add.at is right.',
    },
    {
      title: 'Not the way back',
      link: `${FOUR}&lowering.mode=average`,
      words: [
        'Does col2im undo im2col? If one unrolls x and folds it back at once, each pixel comes home as often as it was copied: 5 becomes 4 · 5 = 20. Averaging would undo it, adding does not.',
        'col2im is not the inverse of im2col but its *transpose*: the same paths, walked backwards. That is what a gradient needs.',
      ],
      task: {
        words: 'Set it right again: choose “add”.',
        goal: { kind: 'view', mode: 'lowering', chosen: { mode: 'sum' } },
        solution: 'lowering.mode=sum',
        seen: '`dx[1,1] = 77`: the sum, and the gradient.',
        claims: [{ tensor: 'dx', at: [1, 1], value: 77 }],
      },
      points: ['option:sum'],
      notes:
        'PyTorch issue 7519: fold(unfold(x)) is not x. Dividing by fold(unfold(ones)) gives x back, which is what its documentation now says.',
    },
  ],
};
