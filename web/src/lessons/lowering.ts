import { type Lesson, pinsRead } from './lesson';

const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA&mode=lowering';
const FOLD = `${FOUR}&lowering.part=fold`;

export const im2col: Lesson = {
  id: 'im2col',
  title: 'im2col and three products',
  sentence: 'Copy each window into a row of a matrix: then every pass is a matrix product.',
  minutes: 8,
  gradients: ['dw', 'dy'],
  steps: [
    {
      title: 'Every window becomes a row',
      link: `${FOUR}&lowering.part=unroll&lowering.rows=0`,
      words: [
        'Computers multiply matrices very fast. So copy each window of x into one row of a new matrix, *x_col*. The copying is called *im2col*, image to columns.',
      ],
      task: 'Which row of x_col holds the window of y[1,0]? Rows are counted from 0. The right answer copies the windows.',
      asks: { count: 'row of y[1,0]', is: 2 },
      hint: 'The rows are in the order of the cells of y: y[0,0] first, then y[0,1].',
      solution: 'lowering.rows=4',
      outcome:
        'x_col has 4 rows and 9 columns: 36 numbers, copied from the 16 of x. There is a row for each cell of y and a column for each weight: row 2 belongs to y[1,0].',
      notes:
        'In some libraries a window is a row of the matrix, in others a column. The name im2col comes from a library that made columns. The page can show both.',
    },
    {
      title: 'One pixel, many copies',
      link: `${FOUR}&lowering.part=unroll`,
      words: [
        'A pixel that several windows read is copied as many times. With a 3 × 3 kernel and stride 1, most pixels of a large image are in x_col nine times. That is the memory cost of the speed.',
      ],
      task: 'How many times is x[1,1], the 5, in x_col? The right answer chooses it.',
      asks: { count: 'copies of x[1,1]', is: 4 },
      later: 'y.1',
      hint: 'How many windows read x[1,1]?',
      solution: 'cell=x.5',
      outcome:
        'The pixel x[1,1], the 5, is in all four rows, each time in another column: for w[1,1], w[1,0], w[0,1] and w[0,0]. These are the four windows of the lessons on dx.',
      notes:
        'Fast libraries never build the whole matrix. They copy a few rows at a time, or compute the index of each entry instead (implicit GEMM).',
    },
    {
      title: 'Forward: one product',
      link: `${FOUR}&lowering.part=products`,
      words: [
        'Write the nine weights as a column, *w_col*. One row of x_col times this column: multiply cell by cell and add. That is one cell of y. So one matrix product gives all of y.',
        'The first row gives `y[0,0] = 147`. Each number of the second row is 1 larger, and the weights add up to 45.',
      ],
      formula: 'y_col = x_col · w_col',
      task: 'What does the second row give, `y[0,1]`?',
      asks: 'y.1',
      later: 'dw.2',
      outcome: '`y[0,1] = 147 + 45 = 192`. With several filters, w_col and y_col have a column for each.',
      notes:
        'GEMM, general matrix multiply, is the name of the routine. Such a dense product reaches most of a processor’s peak speed.',
    },
    {
      title: 'Backward: two more',
      link: `${FOUR}&lowering.part=products&lowering.lane=dw`,
      words: [
        'The other passes are products of the same matrices, one of them *transposed* (written ᵀ: rows and columns exchanged). For dw: each column of x_col times dy. For dx: each dy times all weights.',
      ],
      formula: 'dw_col = x_colᵀ · dy_col ; dx_col = dy_col · w_colᵀ',
      task: 'The column of w[0,2] in x_col is 2, 3, 6, 7, and dy is 1, 2, 3, 4. What is `dw[0,2]`?',
      asks: 'dw.2',
      outcome:
        '`dw[0,2] = 1·2 + 2·3 + 3·6 + 4·7 = 54`. The third product gives dx_col: a gradient for every copy of a pixel. It is not dx yet: the copies still have to be added.',
      notes:
        'The shapes are enough to remember the formulas. x_col is 4 × 9, dy_col is 4 × 1 and dw_col must be 9 × 1.',
    },
  ],
};

export const col2im: Lesson = {
  id: 'col2im',
  title: 'col2im adds',
  sentence: 'col2im adds the copies up. It does not average or overwrite, and it is not the inverse of im2col.',
  minutes: 7,
  gradients: ['dx', 'dy'],
  steps: [
    {
      title: 'col2im adds the copies back',
      link: `${FOLD}&lowering.folded=4`,
      words: [
        'dx_col has a gradient for every copy of a pixel. *col2im* adds each row to its window in dx. A pixel that was copied four times gets four terms.',
        'The four copies of x[2,1] have the gradients 2, 6, 15 and 24: its weights 2, 3, 5 and 6, times 1, 2, 3 and 4.',
      ],
      task: 'What does col2im write into `dx[2,1]`?',
      asks: 'dx.9',
      outcome:
        'Their sum: `dx[2,1] = 1·2 + 2·3 + 3·5 + 4·6 = 47`. col2im is scatter, with the stamps computed in advance. The player adds them row by row.',
      notes:
        'Rows of dx_col are the stamps of the lesson on scatter. Caffe computed dx like this in 2014, and many libraries have done so since.',
    },
    {
      title: 'Why not the average?',
      link: `${FOLD}&lowering.mode=average`,
      words: [
        'Students often ask: should the copies be averaged, so that the result does not depend on their number? The page does that now: dx[1,1] is 77 / 4 = 19.25.',
        'The page also measures how much the loss grows if x[1,1] grows by 1: by 77, the sum.',
      ],
      task: 'Why is it the sum?',
      asks: {
        options: [
          'Only the largest copy counts.',
          'All four copies grow by 1, and each changes the loss.',
          'The average is rounded.',
        ],
        right: 1,
      },
      hint: 'What happens to the copies of a pixel if the pixel grows by 1?',
      outcome:
        'The changes add up, so the gradient is the sum. The gradient check on the page shows that the average is not the gradient.',
      notes:
        'PyTorch issue 21817 asks to change fold to averaging. The maintainers answer that fold is the derivative of unfold.',
    },
    {
      title: '= in place of +=',
      link: `${FOLD}&lowering.mode=overwrite`,
      words: [
        'In a program, adding is a single operator: dx[…] += copy. With = in its place, only the last copy remains. The page does that now: dx[1,1] is 36 = 4·9, the last of the four stamps.',
      ],
      task: 'Which cells of dx are still right? Choose one.',
      goal: pinsRead(1),
      hint: 'Look for a cell with a single copy.',
      solution: 'cell=dx.0',
      outcome:
        'The corners: only one window reads `dx[0,0] = 9`, so there is nothing to overwrite. A test that looks at corners alone would pass.',
      notes:
        'NumPy’s dx[index] += copy has the same mistake when an index occurs twice in one statement; np.add.at is right.',
    },
    {
      title: 'Not the inverse',
      link: `${FOLD}&lowering.mode=average`,
      words: [
        'Does col2im undo im2col? Apply im2col to x (4 × 4, counting from 0), then col2im. Each pixel is added as often as it was copied: x[1,1] = 5 becomes 4 · 5 = 20. Averaging, as the page does now with the gradients, would undo it. Adding does not.',
        'col2im is not the inverse of im2col but its *transpose*: the same connections, in the opposite direction. A gradient needs the transpose.',
      ],
      task: 'Two windows read x[1,0] = 4. What do im2col and col2im make of it? The right answer chooses “add” again.',
      asks: { count: 'x[1,0] after both', is: 8 },
      hint: 'It is added as often as it was copied.',
      solution: 'lowering.mode=sum',
      outcome: 'Its two copies are added: 2 · 4 = 8. On the page dx is right again: `dx[1,1] = 77`.',
      notes:
        'PyTorch issue 7519: fold(unfold(x)) is not x. Dividing by fold(unfold(ones)) gives x back, which is what its documentation now says.',
    },
  ],
};
