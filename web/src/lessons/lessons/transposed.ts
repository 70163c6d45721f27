import type { Lesson } from '../lesson';

const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';
const DOUBLE = 'h=4&kh=2&stride=2&x=ramp&weights=ones&dy=values:1.2.2.1~i8.AQIDBA';

export const lesson: Lesson = {
  place: 16,
  title: 'Transposed convolution is dx',
  sentence: 'The layer that makes pictures larger is a backward pass that somebody runs forwards.',
  steps: [
    {
      title: 'The other way round',
      link: `${FOUR}&cell=y.0`,
      words: [
        'The forward pass makes 2 × 2 numbers from 4 × 4. The computation of dx does the opposite: it takes dy, 2 × 2, and makes 4 × 4 of it, with the same nine weights.',
        'Networks that draw pictures need just that: from small to large. So they take the computation of dx and use it as a layer: *transposed convolution*.',
      ],
      task: {
        words: 'Open the view “dx” and read it as a forward pass: dy goes in, dx comes out.',
        goal: { kind: 'view', mode: 'dx' },
        solution: 'mode=dx',
        seen: 'Nothing new is computed. What is called input there is our dy, and what is called output is our dx, 4 × 4.',
        claims: [{ tensor: 'dx', size: [4, 4] }],
      },
      points: ['tab:dx'],
      notes:
        'In PyTorch: conv_transpose2d(dy, w) equals the gradient of conv2d with respect to its input. It is the first thing to try in a notebook.',
    },
    {
      title: 'A table that makes y of x',
      link: `${FOUR}&mode=matrix&cell=y.0`,
      words: [
        'Write x as a list of 16 numbers and y as a list of 4. Each y is a sum of x’s times weights, so there is a table with 4 rows and 16 columns that makes y of x. Such a table is called a *matrix*: y = C x.',
        'It stands below. A row of C is a window: row 0 has the nine weights where y[0,0] reads x, and nothing elsewhere. Times the x’s above, and added, that is `y[0,0] = 0·9 + 1·8 + 2·7 + 4·6 + 5·5 + 6·4 + 8·3 + 9·2 + 10·1 = 147`.',
      ],
      task: {
        words: 'Choose x[1,1], which is column 5 of C, and see what it feeds.',
        goal: { kind: 'cell', among: ['x.5'] },
        solution: 'cell=x.5',
        seen: 'All four cells of y: from top to bottom the column has 5, 6, 8 and 9 in it. A row says what one y is made of, a column what becomes of one x.',
      },
      points: ['panel:C'],
      notes:
        'Let somebody guess the next row before you point at it: the same nine numbers, moved along by one, and by four for the next row of y. That is all that “sharing weights” means.',
    },
    {
      title: 'Why “transposed”',
      link: `${FOUR}&mode=matrix&cell=dx.5`,
      words: [
        'The way back asks what each x does to the loss. x[1,1] is heard by four y’s, and how loudly is in its column: 5, 6, 8 and 9. Times their dy, and added: `dx[1,1] = 1·5 + 2·6 + 3·8 + 4·9 = 77`.',
        'So the columns of C are what dx needs as rows. C with rows and columns exchanged is written Cᵀ and called the *transposed* matrix.',
      ],
      formula: 'dx = Cᵀ dy',
      task: {
        words: 'Turn the matrix over: choose “dx = Cᵀ dy” above it.',
        goal: { kind: 'view', mode: 'matrix', chosen: { form: 'transposed' } },
        solution: 'matrix.form=transposed',
        seen: 'Row 5 of Cᵀ holds 5, 6, 8 and 9, and makes `dx[1,1] = 77`. A column is one dy: the stamp of the lesson on scatter, as a list. A layer that goes forwards through Cᵀ is a *transposed convolution*.',
        claims: [{ tensor: 'dx', at: [1, 1], value: 77 }],
      },
      points: ['option:transposed'],
      claims: [{ tensor: 'dx', at: [1, 1], value: 77 }],
      notes:
        'For every x and dy the sum of y · dy equals the sum of x · dx: 〈Cx, dy〉 = 〈x, Cᵀdy〉, both 3000 here and both below the matrix. It is the shortest test of a backward pass.',
    },
    {
      title: 'Making a picture larger',
      link: `${DOUBLE}&cell=dx.0`,
      words: [
        'A kernel of 2 with stride 2, all weights 1. Forward, each 2 × 2 block of x becomes one number. So going back, each number of dy is stamped on a block of 2 × 2: the picture is doubled, `dx[0,0] = 1`, `dx[0,1] = 1`.',
      ],
      task: {
        words: 'Choose a cell of dx that holds the 4.',
        goal: { kind: 'cell', among: ['dx.10', 'dx.11', 'dx.14', 'dx.15'] },
        solution: 'cell=dx.15',
        seen: '`dx[3,3] = 4`, as all of the last block. The stamps do not overlap: kernel and stride are both 2. With other weights the network learns how to draw each block.',
        claims: [{ tensor: 'dx', at: [3, 3], value: 4 }],
      },
      points: ['panel:dx'],
      notes:
        'With kernel 3 and stride 2 the stamps overlap unevenly: the checkerboard of the lesson on stride. Hence the advice to enlarge with kernels that the stride divides.',
    },
    {
      title: 'It undoes nothing',
      link: `${DOUBLE}&cell=dx.0`,
      words: [
        'Some call it *deconvolution*. The name misleads: it gives back the shape of x, not its numbers. Four numbers of y cannot tell what sixteen of x were.',
        'Try it: let dy be made from y itself.',
      ],
      task: {
        words: 'Set the values of dy to “squared error”: with target 0, dy is y divided by 4.',
        goal: { kind: 'source', of: 'dy', is: 'mse' },
        solution: 'dy=mse:0',
        seen: '`dx[0,0] = 2.5`, `dx[0,1] = 2.5`: each block holds its mean, and x had 0, 1, 4 and 5 there. Forward and back again blurs; it does not restore.',
      },
      points: ['controls:dy'],
      notes:
        'That is the end of the lessons. What next: the gradient check on problems of one’s own, the ten cases of the notebook under Examples, and pictures.',
    },
  ],
};
