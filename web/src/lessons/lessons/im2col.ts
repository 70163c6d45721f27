import type { Lesson } from '../lesson';

const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA&mode=lowering';

export const lesson: Lesson = {
  place: 11,
  title: 'im2col and three products',
  sentence: 'Windows laid out as rows of a matrix: then every pass is a matrix product.',
  steps: [
    {
      title: 'Every window becomes a row',
      link: `${FOUR}&lowering.part=unroll&lowering.rows=0`,
      words: [
        'Computers multiply matrices faster than anything else. So copy each window of x into one row of a new matrix, *x_col*: nine numbers in a row, a row for each stop. The copying is called *im2col*, image to columns.',
      ],
      task: {
        words: 'Lay out all four windows with the player.',
        goal: { kind: 'view', mode: 'lowering', chosen: { rows: 4 } },
        solution: 'lowering.rows=4',
        seen: 'x_col has 4 rows and 9 columns: 36 numbers, made from the 16 of x. A row for each cell of y, a column for each weight.',
      },
      points: ['player'],
      notes:
        'Libraries differ in whether a window is a row or a column of the matrix; the name im2col comes from one that made columns. The page can show both.',
    },
    {
      title: 'One pixel, many copies',
      link: `${FOUR}&lowering.part=unroll`,
      words: [
        'A pixel that several windows read is copied as many times. With a kernel of 3 × 3 and stride 1 most pixels of a large picture stand in x_col nine times: that is what the speed costs in memory.',
      ],
      task: {
        words: 'Choose to follow “its pixel”, then point at entries of x_col.',
        goal: { kind: 'view', mode: 'lowering', chosen: { follow: 'copies' } },
        solution: 'lowering.follow=copies',
        seen: 'The pixel x[1,1], the 5, stands in all four rows, each time in another column: under w[1,1], w[1,0], w[0,1] and w[0,0]. These are the four windows of the lessons on dx.',
      },
      points: ['option:copies'],
      notes:
        'Fast libraries never build the whole matrix; they unroll a few rows at a time, or only pretend to (implicit GEMM).',
    },
    {
      title: 'Forward: one product',
      link: `${FOUR}&lowering.part=unroll`,
      words: [
        'Stand the nine weights in a column, *w_col*. One row of x_col times this column is: multiply cell by cell and add. That is one cell of y.',
      ],
      formula: 'y_col = x_col · w_col',
      task: {
        words: 'Choose the part “2 Three products”.',
        goal: { kind: 'view', mode: 'lowering', chosen: { part: 'products' } },
        solution: 'lowering.part=products',
        seen: 'All of y in one matrix product: its first row is `y[0,0] = 147`. With several filters w_col has a column for each, and y_col too.',
      },
      points: ['option:products'],
      notes:
        'GEMM, general matrix multiply, is the name of the routine. A dense product of this kind reaches most of a processor’s peak speed.',
    },
    {
      title: 'Backward: two more',
      link: `${FOUR}&lowering.part=products&lowering.lane=y`,
      words: [
        'The other passes are products of the same matrices, one of them on its side (*transposed*, written ᵀ: rows and columns exchanged). For dw: each column of x_col, all that one weight ever met, times dy.',
        'For dx: each dy times all weights, which gives a gradient for every copy of a pixel.',
      ],
      formula: 'dw_col = x_colᵀ · dy_col ; dx_col = dy_col · w_colᵀ',
      task: {
        words: 'Choose the product that makes dx_col.',
        goal: { kind: 'view', mode: 'lowering', chosen: { lane: 'dx' } },
        solution: 'lowering.lane=dx',
        seen: 'dx_col has the shape of x_col: 4 × 9, a stamp of w in each row, times 1, 2, 3 and 4. It is not dx yet: the copies of each pixel still have to be brought together.',
      },
      points: ['option:dx'],
      notes:
        'A rule to remember the formulas by: shapes leave no choice. x_col is 4 × 9, dy_col is 4 × 1 and dw_col must be 9 × 1.',
    },
  ],
};
