import type { Lesson } from './lesson';

const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA&mode=lowering';
const FOLD = `${FOUR}&lowering.part=fold`;

export const im2col: Lesson = {
  id: 'im2col',
  title: 'im2col and three products',
  sentence: 'Copy each window into a row of a matrix: then every pass is a matrix product.',
  steps: [
    {
      title: 'Every window becomes a row',
      link: `${FOUR}&lowering.part=unroll&lowering.rows=0`,
      words: [
        'Computers multiply matrices very fast. So copy each window of x into one row of a new matrix, *x_col*. Each row has nine numbers, and there is one row per position. The copying is called *im2col*, image to columns.',
      ],
      task: 'Copy all four windows with the player.',
      solution: 'lowering.rows=4',
      outcome:
        'x_col has 4 rows and 9 columns: 36 numbers, copied from the 16 of x. There is a row for each cell of y and a column for each weight.',
      notes:
        'In some libraries a window is a row of the matrix, in others a column. The name im2col comes from a library that made columns. The page can show both.',
    },
    {
      title: 'One pixel, many copies',
      link: `${FOUR}&lowering.part=unroll`,
      words: [
        'A pixel that several windows read is copied as many times. With a 3 × 3 kernel and stride 1, most pixels of a large image are in x_col nine times. That is the memory cost of the speed.',
      ],
      task: 'Choose x[1,1], the 5, in x: its copies in x_col are outlined.',
      solution: 'cell=x.5',
      outcome:
        'The pixel x[1,1], the 5, is in all four rows, each time in another column: for w[1,1], w[1,0], w[0,1] and w[0,0]. These are the four windows of the lessons on dx.',
      notes:
        'Fast libraries never build the whole matrix. They copy a few rows at a time, or compute the index of each entry instead (implicit GEMM).',
    },
    {
      title: 'Forward: one product',
      link: `${FOUR}&lowering.part=unroll`,
      words: [
        'Write the nine weights as a column, *w_col*. One row of x_col times this column: multiply cell by cell and add. That is one cell of y.',
      ],
      formula: 'y_col = x_col · w_col',
      task: 'Choose the part “2 Three products”.',
      solution: 'lowering.part=products',
      outcome:
        'One matrix product gives all of y: its first row is `y[0,0] = 147`. With several filters, w_col and y_col have a column for each.',
      notes:
        'GEMM, general matrix multiply, is the name of the routine. Such a dense product reaches most of a processor’s peak speed.',
    },
    {
      title: 'Backward: two more',
      link: `${FOUR}&lowering.part=products&lowering.lane=y`,
      words: [
        'The other passes are products of the same matrices, one of them *transposed* (written ᵀ: rows and columns exchanged). For dw: each column of x_col, which holds every input of one weight, times dy.',
        'For dx: each dy times all weights. This gives a gradient for every copy of a pixel.',
      ],
      formula: 'dw_col = x_colᵀ · dy_col ; dx_col = dy_col · w_colᵀ',
      task: 'Choose the product that gives dx_col.',
      solution: 'lowering.lane=dx',
      outcome:
        'dx_col has the shape of x_col: 4 × 9, a stamp of w in each row, times 1, 2, 3 and 4. It is not dx yet: the copies of each pixel still have to be added.',
      notes:
        'The shapes are enough to remember the formulas. x_col is 4 × 9, dy_col is 4 × 1 and dw_col must be 9 × 1.',
    },
  ],
};

export const col2im: Lesson = {
  id: 'col2im',
  title: 'col2im adds',
  sentence: 'col2im adds the copies up. It does not average or overwrite, and it is not the inverse of im2col.',
  steps: [
    {
      title: 'col2im adds the copies back',
      link: `${FOLD}&lowering.folded=0`,
      words: [
        'dx_col has a gradient for every copy of a pixel. *col2im* adds each row to its window in dx. A pixel that was copied four times gets four terms.',
      ],
      task: 'Add back all four rows with the player.',
      solution: 'lowering.folded=4',
      outcome:
        'The same cell again: `dx[1,1] = 1·5 + 2·6 + 3·8 + 4·9 = 77`. col2im is scatter, with the stamps computed in advance.',
      notes:
        'Rows of dx_col are the stamps of the lesson on scatter. Caffe computed dx like this in 2014, and many libraries have done so since.',
    },
    {
      title: 'Why not the average?',
      link: `${FOLD}&lowering.mode=sum`,
      words: [
        'Students often ask: should the copies be averaged, so that the result does not depend on their number?',
        'No. If a pixel grows by 1, all its copies grow by 1, and each of them changes the loss. The changes add up.',
      ],
      task: 'Choose “average” anyway, and look at dx[1,1].',
      solution: 'lowering.mode=average',
      outcome:
        '77 / 4 = 19.25. The gradient check on the page shows that this is not the gradient. If the pixel changes a little, the loss changes by 77 times as much.',
      notes:
        'PyTorch issue 21817 asks to change fold to averaging. The maintainers answer that fold is the derivative of unfold.',
    },
    {
      title: '= in place of +=',
      link: `${FOLD}&lowering.mode=sum`,
      words: [
        'In a program, adding is a single operator: dx[…] += copy. With = in its place, only the last copy remains.',
      ],
      task: 'Choose “overwrite”.',
      solution: 'lowering.mode=overwrite',
      outcome:
        'dx[1,1] is 36 = 4·9, the last of the four stamps. The corner `dx[0,0] = 9` is still right: only one window reads it. A test that looks at corners alone would pass.',
      notes:
        'NumPy’s dx[index] += copy has the same mistake when an index occurs twice in one statement; np.add.at is right.',
    },
    {
      title: 'Not the inverse',
      link: `${FOLD}&lowering.mode=average`,
      words: [
        'Does col2im undo im2col? Apply im2col to x, then col2im. Each pixel is added as often as it was copied: 5 becomes 4 · 5 = 20. Averaging would undo it, adding does not.',
        'col2im is not the inverse of im2col but its *transpose*: the same connections, in the opposite direction. A gradient needs the transpose.',
      ],
      task: 'Correct it: choose “add”.',
      solution: 'lowering.mode=sum',
      outcome: '`dx[1,1] = 77`: the sum, and the gradient.',
      notes:
        'PyTorch issue 7519: fold(unfold(x)) is not x. Dividing by fold(unfold(ones)) gives x back, which is what its documentation now says.',
    },
  ],
};
