import { type Lesson, pins, pinsRead } from './lesson';

const TWO = 'h=5&kh=3&stride=2&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';
const SIX = 'h=6&kh=3&stride=2&x=random:5&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';
const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';
const DOUBLE = 'h=4&kh=2&stride=2&x=ramp&weights=ones&dy=values:1.2.2.1~i8.AQIDBA';

export const stride: Lesson = {
  id: 'stride',
  title: 'Stride: inserted zeros, four phases, the checkerboard',
  sentence: 'What a stride does to dx, and why gradients of strided layers look like a checkerboard.',
  minutes: 8,
  gradients: ['dx', 'dy'],
  steps: [
    {
      title: 'Stamps two cells apart',
      link: `${TWO}&mode=dx&dx.way=scatter&dx.t=4`,
      words: [
        'With stride 2 the windows are two cells apart, and so are their stamps in dx. The kernel of 3 is larger than the stride of 2. So the stamps still overlap: in one row and one column.',
        'All four overlap only in the middle, each with another corner of w: 1, 3, 7 and 9.',
      ],
      task: 'What is `dx[2,2]`, where all four stamps overlap?',
      asks: 'dx.12',
      later: 'dx.18',
      outcome:
        '`dx[2,2] = 1·1 + 2·3 + 3·7 + 4·9 = 64`. The cell diagonally next to it is read once: `dx[1,1] = 1·5 = 5`.',
      notes: 'Compare with the lesson on scatter, where the stride was 1 and nearly every cell had several stamps.',
    },
    {
      title: 'Inserted zeros',
      link: `${TWO}&mode=dx&dx.stage=dy`,
      words: [
        'Now compute dx as a convolution with the flipped w. The kernel moves over dx cell by cell, but dy has a value only for every second cell. So insert zeros between the cells of dy, for the positions that the stride skipped.',
        'This is also called *fractional stride*, *upsampling* dy, or dilating dy.',
      ],
      task: 'dy is 2 × 2. How many rows does it have with the zeros in between? The right answer inserts them.',
      asks: { count: 'rows of the upsampled dy', is: 3 },
      later: 'dx.18',
      hint: 'Zeros go between the rows, not around them.',
      solution: 'dx.stage=zeros',
      outcome:
        'dy was 2 × 2 and is 3 × 3 now: 1, 0, 2 in its first row. Then it is padded as before, and the flipped w slides over it.',
      notes:
        'Forgetting these zeros is the second most common mistake, after the flip. Then dx is too small, and frameworks report a shape error: an easy mistake to find.',
    },
    {
      title: 'Four phases',
      link: `${TWO}&mode=dx&dx.way=phase_split&dx.phase=3`,
      words: [
        'Five of the nine cells of the upsampled dy are zeros. In a large dy three of four are: most products are with 0. Only the parity of row and column in dx decides which weights meet a value of dy.',
        'That makes four groups of cells, called *phases*, each with its own few weights. Each is a small convolution without zeros. Even row and column: the four corners of w, 9, 7, 3 and 1. Odd row and column: only the 5 in the middle.',
      ],
      task: 'Row 3 and column 3 are odd, and the last window covers them. What is `dx[3,3]`?',
      asks: 'dx.18',
      outcome:
        'A single product: `dx[3,3] = 4·5 = 20`. Fast libraries compute dx in this way, without any product with 0.',
      notes:
        'The other two phases have two weights each: 8 and 2 (even row, odd column), 6 and 4 (odd row, even column). 4 + 2 + 2 + 1 = 9: every weight once.',
    },
    {
      title: 'The checkerboard',
      link: 'h=8&kh=3&stride=2&x=ones&weights=ones&dy=ones&cell=dx.18',
      words: [
        'Now x, w and dy are all 1, so dx counts the windows that read each cell: `dx[2,2] = 4`, but `dx[2,3] = 2` and `dx[3,3] = 1`. The stride alone causes this pattern, not the data.',
        'The stride of 2 does not divide the kernel of 3. Images from such layers show the pattern as a *checkerboard*.',
      ],
      task: 'Remove it: find the kernel with which every cell is read equally often, at the edge too.',
      solution: 'kh=2&kw=2',
      hint: 'The stride must divide it. With 4, the cells at the edge are read less often than the others.',
      outcome:
        'With a kernel of 2 every cell is read exactly once: `dx[2,2] = 1`, and so is every other. With a kernel of 4, all cells away from the edge would be read equally often.',
      notes:
        'Odena, Dumoulin and Olah, “Deconvolution and Checkerboard Artifacts” (Distill, 2016), is the standard text. The next lesson explains the hatched row and column at the end.',
    },
  ],
};

export const remainder: Lesson = {
  id: 'remainder',
  title: 'The remainder, and why frameworks ask for the input size',
  sentence: 'If the stride does not divide evenly, some rows are never read, and the backward pass must know how many.',
  minutes: 6,
  gradients: ['dx', 'dy'],
  steps: [
    {
      title: 'Rows that are never read',
      link: `${SIX}&cell=y.3`,
      words: [
        'A window of 3 with stride 2 over 6 rows begins at 0 and at 2. A third position at 4 would go beyond the edge. floor((6 − 3) / 2) + 1 = 2 positions, and one row is left over: the *remainder*. The same is true of the columns.',
        'The page hatches these cells.',
      ],
      task: 'Choose a cell of x, or of dx, that no window reads.',
      goal: pinsRead(0),
      solution: 'cell=dx.35',
      hint: 'Look for a hatched cell.',
      outcome:
        'No output uses it, so its gradient is exactly 0, as in `dx[5,5] = 0`. This is not an approximation: changing that cell changes no output at all.',
      notes:
        'Several visualizers on the web report an error here, and some programs crash. Frameworks do not: they all round down.',
    },
    {
      title: 'Two inputs, one output size',
      link: `${SIX}&cell=y.3`,
      words: ['y is 2 × 2 here. No window reads the last row and column of x.'],
      task: 'How many rows does y have if you remove the last row and column of x? The right answer removes them.',
      asks: { count: 'rows of y', is: 2 },
      hint: 'Where does the last window end?',
      solution: 'h=5&w=5',
      outcome:
        'y is still 2 × 2, with the same values. From the size of y, or of dy, you cannot tell whether x had 5 rows or 6.',
      notes:
        'With stride s there are s input sizes for each output size. With stride 1 there is only one, so the question did not come up before.',
    },
    {
      title: 'The backward pass needs the size of x',
      link: `${SIX}&mode=dx&dx.stage=zeros`,
      words: [
        'dx must have the shape of x. The shape of dy does not tell which: x can have 5 rows or 6. So every library asks for it. TensorFlow wants input_sizes, oneDNN the description of diff_src, and PyTorch’s transposed convolution *output_padding*.',
        'All mean the same: how many rows and columns with gradient 0 to append. With its inserted zeros dy is 3 × 3 here, and no window reads one row and one column of x.',
      ],
      task: 'How many rows does the upsampled dy have once the remainder is appended? The right answer appends it.',
      asks: { count: 'rows of the extended dy', is: 4 },
      hint: 'The remainder is one row.',
      solution: 'dx.stage=remainder',
      outcome:
        'After the inserted zeros, one more row and column of zeros are appended at the end. That makes 4 × 4 in place of 3 × 3. Without them dx would be 5 × 5, too small by one.',
      notes:
        'output_padding is a misleading name. It does not pad the output with zeros: it says which of the possible sizes the output has.',
    },
    {
      title: 'All sizes that fit',
      link: `${SIX}&mode=geometry`,
      words: [
        'For any kernel, stride, padding and dilation you can list the input sizes that give the same output. You can also count how often each row and column is read. This view does both: with stride 2, heights of 5 and 6 give the same output.',
      ],
      task: 'How many heights give the same output with stride 3? The right answer sets it.',
      asks: { count: 'heights with the same output', is: 3 },
      hint: 'Each possible remainder gives one height: 0, 1, …',
      solution: 'stride=3',
      outcome: 'With stride s there are s of them: here 6, 7 and 8. “All controls” below shows the stride: try others.',
      notes:
        'The solver in that view answers “I want an output of 8: which stride?”. It is good for homework: solve on paper, then check on the page.',
    },
  ],
};

export const transposed: Lesson = {
  id: 'transposed',
  title: 'Transposed convolution is dx',
  sentence: 'Upsampling: the backward pass of a convolution, used as a forward layer.',
  minutes: 9,
  gradients: ['dx', 'dy'],
  steps: [
    {
      title: 'The opposite direction',
      link: `${FOUR}&mode=dx&dx.way=scatter&dx.t=4`,
      words: [
        'The forward pass computes 2 × 2 numbers from 4 × 4. The computation of dx does the opposite: from dy, 2 × 2, it computes 4 × 4, with the same nine weights.',
        'Networks that generate images need exactly that: from small to large. So they use the computation of dx as a layer: *transposed convolution*. Its input is our dy, its output our dx.',
      ],
      task: 'At the top right of its output only the input dy[0,1] = 2 has a stamp, there with w[0,2] = 7. What is `dx[0,3]`?',
      asks: 'dx.3',
      later: 'dx.13',
      outcome: '`dx[0,3] = 2·7 = 14`. The layer stamps w once for each number of its input, and adds the stamps.',
      notes:
        'In PyTorch: conv_transpose2d(dy, w) equals the gradient of conv2d with respect to its input. Let students try this first in a notebook.',
    },
    {
      title: 'A matrix that computes y from x',
      link: `${FOUR}&mode=matrix&cell=y.0`,
      words: [
        'Write x as a list of 16 numbers and y as a list of 4. Each y is a sum of entries of x times weights. So a table with 4 rows and 16 columns computes y from x. Such a table is called a *matrix*: y = C x.',
        'The view shows C. A row of C is a window: row 0 has the nine weights where y[0,0] reads x, and 0 elsewhere. Multiplied by x and added: `y[0,0] = 0·9 + 1·8 + 2·7 + 4·6 + 5·5 + 6·4 + 8·3 + 9·2 + 10·1 = 147`.',
      ],
      task: 'From top to bottom, a column of C has 5, 6, 8 and 9. Choose the cell of x that it belongs to.',
      later: 'dx.13',
      solution: 'cell=x.5',
      hint: 'Look for the cell under w[1,1] = 5 in the first window.',
      outcome:
        'x[1,1] is column 5 of C, and all four cells of y use it. A row lists the inputs of one y, a column lists the outputs that use one x.',
      points: ['panel:C'],
      notes:
        'Let a student guess the next row before you point at it. It has the same nine numbers, moved by one, and by four for the next row of y. That is what “sharing weights” means.',
    },
    {
      title: 'Why “transposed”',
      link: `${FOUR}&mode=matrix&matrix.form=transposed`,
      words: [
        'The backward pass asks how each x changes the loss. Four outputs use x[1,1], and its column of C has their weights: 5, 6, 8 and 9. Multiplied by their dy and added: `dx[1,1] = 1·5 + 2·6 + 3·8 + 4·9 = 77`.',
        'So dx needs the columns of C as rows. C with rows and columns exchanged is written Cᵀ and called the *transpose* of C. The view shows it now: row 5 holds 5, 6, 8 and 9.',
      ],
      formula: 'dx = Cᵀ dy',
      task: 'Row 13 of Cᵀ holds 0, 0, 2 and 3, the weights of x[3,1]. What is `dx[3,1]`?',
      asks: 'dx.13',
      outcome:
        '`dx[3,1] = 3·2 + 4·3 = 18`. Each column of Cᵀ is the stamp of one dy, written as a list. A layer that computes Cᵀ dy is a *transposed convolution*.',
      notes:
        'For every x and dy the sum of y · dy equals the sum of x · dx. In symbols: 〈Cx, dy〉 = 〈x, Cᵀdy〉, both 3000 here. The page shows both below the matrix. This is the shortest test of a backward pass.',
    },
    {
      title: 'Making an image larger',
      link: `${DOUBLE}&cell=dx.0`,
      words: [
        'A kernel of 2 with stride 2, all weights 1. Forward, each 2 × 2 block of x becomes one number. Backward, each number of dy is stamped on a block of 2 × 2. That doubles the image: `dx[0,0] = 1`, `dx[0,1] = 1`.',
      ],
      task: 'Choose a cell of dx that holds the 4.',
      goal: pins('dx.10', 'dx.11', 'dx.14', 'dx.15'),
      hint: 'Look for the block that is stamped by dy[1,1] = 4.',
      solution: 'cell=dx.15',
      outcome:
        '`dx[3,3] = 4`, as in all of the last block. The stamps do not overlap: kernel and stride are both 2. With learned weights, the network chooses how to draw each block.',
      notes:
        'With kernel 3 and stride 2 the stamps overlap unevenly: the checkerboard of the lesson on stride. So use kernels that the stride divides to make images larger.',
    },
    {
      title: 'It is not an inverse',
      link: `${DOUBLE}&cell=dx.0`,
      words: [
        'It is also called *deconvolution*. The name misleads: it gives back the shape of x, not its values. Four numbers of y do not determine the sixteen of x.',
        'Try it: compute dy from y itself.',
      ],
      task: 'Set the values of dy to “squared error”: with target 0, dy is y divided by 4.',
      goal: ({ problem: { dy } }) => dy.kind === 'mse',
      solution: 'dy=mse:0',
      points: ['controls:dy'],
      outcome:
        '`dx[0,0] = 2.5`, `dx[0,1] = 2.5`: each block holds its mean, and x had 0, 1, 4 and 5 there. Forward and back again blurs the image; it does not restore it.',
      notes:
        'The last lesson trains a kernel. After it, try the gradient check on your own problems, the ten numbered cases under Examples, and images.',
    },
  ],
};
