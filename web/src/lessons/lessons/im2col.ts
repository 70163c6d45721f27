import type { Lesson } from '../lesson';

const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA&mode=lowering';

export const lesson: Lesson = {
  order: 11,
  title: 'im2col and three products',
  sentence: 'Copy each window into a row of a matrix: then every pass is a matrix product.',
  steps: [
    {
      title: 'Every window becomes a row',
      link: `${FOUR}&lowering.part=unroll&lowering.rows=0`,
      words: [
        'Computers multiply matrices very fast. So copy each window of x into one row of a new matrix, *x_col*. Each row has nine numbers, and there is one row per position. The copying is called *im2col*, image to columns.',
      ],
      task: {
        words: 'Copy all four windows with the player.',
        goal: { kind: 'view', mode: 'lowering', chosen: { rows: 4 } },
        solution: 'lowering.rows=4',
        outcome:
          'x_col has 4 rows and 9 columns: 36 numbers, copied from the 16 of x. There is a row for each cell of y and a column for each weight.',
      },
      points: ['player'],
      notes:
        'In some libraries a window is a row of the matrix, in others a column. The name im2col comes from a library that made columns. The page can show both.',
    },
    {
      title: 'One pixel, many copies',
      link: `${FOUR}&lowering.part=unroll`,
      words: [
        'A pixel that several windows read is copied as many times. With a 3 × 3 kernel and stride 1, most pixels of a large image are in x_col nine times. That is the memory cost of the speed.',
      ],
      task: {
        words: 'Choose x[1,1], the 5, in x: its copies in x_col are outlined.',
        goal: { kind: 'cell', among: ['x.5'] },
        solution: 'cell=x.5',
        outcome:
          'The pixel x[1,1], the 5, is in all four rows, each time in another column: for w[1,1], w[1,0], w[0,1] and w[0,0]. These are the four windows of the lessons on dx.',
      },
      points: ['panel:x'],
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
      task: {
        words: 'Choose the part “2 Three products”.',
        goal: { kind: 'view', mode: 'lowering', chosen: { part: 'products' } },
        solution: 'lowering.part=products',
        outcome:
          'One matrix product gives all of y: its first row is `y[0,0] = 147`. With several filters, w_col and y_col have a column for each.',
      },
      points: ['option:products'],
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
      task: {
        words: 'Choose the product that gives dx_col.',
        goal: { kind: 'view', mode: 'lowering', chosen: { lane: 'dx' } },
        solution: 'lowering.lane=dx',
        outcome:
          'dx_col has the shape of x_col: 4 × 9, a stamp of w in each row, times 1, 2, 3 and 4. It is not dx yet: the copies of each pixel still have to be added.',
      },
      points: ['option:dx'],
      notes:
        'The shapes are enough to remember the formulas. x_col is 4 × 9, dy_col is 4 × 1 and dw_col must be 9 × 1.',
    },
  ],
};
