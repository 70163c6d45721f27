import { type Lesson, pinsRead } from './lesson';

const PICTURE = 'h=5&kh=3&x=corner&weights=filter:sobel_x&dy=ones';
const LINE = 'h=5&kh=3&x=ramp&weights=countdown:9&dy=ones';
const BOX = 'h=5&kh=3&x=ramp&weights=ones&dy=ones';
const FLAT = 'h=5&kh=3&x=ones&weights=ones&dy=ones';

export const oneWindow: Lesson = {
  id: 'one-window',
  title: 'One window, one number',
  sentence: 'What a convolution does, shown on a single cell of its output.',
  minutes: 6,
  gradients: [],
  steps: [
    {
      title: 'Three grids of numbers',
      link: `${PICTURE}&cell=y.4`,
      words: [
        '`x` is the *input*: a small image, 1 in its bright corner and 0 elsewhere. The page draws larger numbers in a stronger color. `w` is the *kernel*: nine numbers, called *weights*. `y` is the *output*, computed from the two.',
        'The frame on x is the *window*: the part of x that w covers. Each window gives one number of y; both are marked. The “?” is a number that you compute in the next step.',
      ],
      task: 'Choose the top left cell of y: click or tap it. With the keyboard, use Tab and the arrow keys; Space pins a cell or unpins it.',
      later: 'y.8',
      solution: 'cell=y.0',
      hint: 'Look for row 0 and column 0 of y.',
      outcome:
        'The window moved to the top left corner of x. Each cell of y belongs to one window of x. `y[0,0]` is computed from rows 0 to 2 and columns 0 to 2 of x. Counting starts at 0.',
      notes:
        'Ask before anyone clicks: y is 3 × 3, x is 5 × 5. Why not the same? (A window of 3 has three positions in 5 cells.) The next lesson answers it. Below the lesson, the page always explains the chosen cell.',
    },
    {
      title: 'Multiply cell by cell, then add',
      link: PICTURE,
      words: [
        'Multiply each cell of the window by the weight on it, then add the nine products. That sum is the cell of y.',
        'At the bottom left, only three cells of the window are bright. The weights on them are 1, 2 and 1, so:',
      ],
      formula: 'y[2,0] = 1·1 + 1·2 + 1·1 = 4',
      task: 'At the bottom right, all nine cells of the window are 1. What is `y[2,2]`?',
      asks: 'y.8',
      outcome:
        'All weights are added: `y[2,2] = −1 + 0 + 1 − 2 + 0 + 2 − 1 + 0 + 1 = 0`. The negative and positive weights of this kernel cancel. So the result is 0 where the image does not change.',
      notes:
        'Let the class add the nine products aloud once. Below the lesson the page lists them for the chosen cell: point at a line to highlight its two factors.',
    },
    {
      title: 'A kernel detects a pattern',
      link: `${PICTURE}&cell=y.3`,
      words: [
        'The left column of w is negative, the right column positive. So this kernel measures whether the window gets brighter from left to right.',
        '`y[1,0] = 1·2 + 1·1 = 3`: it does. Where it does not, the result is 0, as in `y[1,2] = 0`.',
      ],
      task: 'Make the bright corner larger: set `x[1,2]` from 0 to 1. Choose the cell and type 1 (or use the field below).',
      goal: ({ problem: { x } }) => x.data[7] === 1,
      solution: 'x=corner~i8.AAAAAAAAAAEAAAAAAQEBAAABAQEAAAEBAQ',
      outcome:
        'Now `y[1,0] = 1·1 + 1·2 + 1·1 = 4`: another product is no longer 0. You changed one cell of x, and it is part of every window that contains it. A weight of 0 leaves y unchanged.',
      points: ['panel:x'],
      notes:
        'The kernel is the Sobel filter, an edge detector from 1968. Networks do not use such hand-written numbers: they learn them, and the lessons from dw on show how. Try other cells of x too.',
    },
    {
      title: 'How it is written',
      link: `${PICTURE}&cell=y.4`,
      words: [
        'A cell is named by its row and column: `y[i,j]`. `w[p,q]` is in row p and column q of the kernel. It multiplies the cell of x that is p rows below and q columns right of the window’s corner.',
        'Σ means: add up over all p and q. This formula is the whole convolution. The next lessons add stride, padding and channels.',
      ],
      formula: 'y[i,j] = Σ{p,q} x[i+p,j+q] · w[p,q]',
      task: 'A window begins in row 2 and column 1 of x. Choose its cell of y.',
      solution: 'cell=y.7',
      hint: 'Look for the cell with i = 2 and j = 1.',
      outcome: 'That is `y[2,1] = 4`: with i = 2 and j = 1 the window reads x[2+p, 1+q].',
      notes:
        'In mathematics, a convolution first flips w by 180°; the operation here is called cross-correlation. Every deep-learning framework computes it as here and calls it convolution. The flip returns in the lessons on dx.',
    },
  ],
};

export const sliding: Lesson = {
  id: 'sliding',
  title: 'Sliding and stride',
  sentence: 'How the window moves over x, and how the stride sets the size of y.',
  minutes: 6,
  gradients: [],
  steps: [
    {
      title: 'The window slides',
      link: LINE,
      words: [
        'All of y is computed with the same nine weights. The window moves over x from left to right and from top to bottom. Each position gives one cell of y. Using the same w everywhere is called *weight sharing*: it finds a pattern wherever the pattern is.',
        'Here x counts from 0 to 24 and w from 9 down to 1. So you can tell the cells apart. The first position gives `y[0,0] = 174`, the second `y[0,1] = 219`.',
      ],
      task: 'What does the third position give, `y[0,2]`? Every cell under the window is 1 larger than before.',
      asks: 'y.2',
      outcome:
        'The weights add up to 45, so each move to the right adds 45: `y[0,2] = 219 + 45 = 264`. Press Play to see the window fill all of y.',
      notes:
        'Ask why the difference is 45 before you read it out: 9 + 8 + … + 1. Nine weights serve all nine outputs. A layer that connects every input to every output would need 25 · 9 = 225.',
    },
    {
      title: 'How many positions there are',
      link: `${LINE}&cell=y.8`,
      words: [
        'The last window ends at the edge of x. A window of 3 in a row of 5 can begin at 0, 1 or 2. That is three positions, so y is 3 × 3.',
        'With an input of h rows and a kernel of kh rows:',
      ],
      formula: 'oh = h − kh + 1',
      task: 'Set the kernel so that y becomes 4 × 4.',
      goal: ({ geometry: g }) => g?.oh === 4 && g.ow === 4,
      solution: 'kh=2&kw=2',
      hint: 'The task asks for 4 × 4.',
      outcome:
        'A kernel of 2 has four positions in a row of 5: 5 − 2 + 1 = 4, so y is 4 × 4. The larger the kernel, the smaller y.',
      notes:
        'oh and ow are the output’s height and width. This lesson and the next build the full formula, with padding and stride.',
    },
    {
      title: 'Larger moves',
      link: `${LINE}&stride=2`,
      words: [
        'The window can skip cells. The *stride* is how many cells it moves at a time. It was 1 before, and is 2 now.',
        'A larger stride makes y smaller and saves work. A neural network is a sequence of such operations, its *layers*. A stride is one of the two common ways to make an image smaller.',
      ],
      task: 'With stride 1 each move to the right added 45, beginning with `y[0,0] = 174`. What is `y[0,1]` now?',
      asks: 'y.1',
      outcome:
        'The window begins at columns 0 and 2, so the value in between is left out: `y[0,1] = 174 + 45 + 45 = 264`, which was `y[0,2]` before. The same is true of the rows: y is 2 × 2.',
      notes:
        'The other common way is pooling. A stride gives the same result as a full convolution that drops some outputs, without computing them.',
    },
    {
      title: 'The formula with a stride',
      link: `${LINE}&stride=2&cell=y.3`,
      words: [
        'With a stride s the window of `y[i,j]` begins at row s·i and column s·j.',
        'Divide the number of moves by s, round down, and add 1 for the first position. *floor* means: round down. Here that gives 2, so y is 2 × 2.',
      ],
      formula: 'oh = floor((h − kh) / s) + 1',
      task: 'How many rows does y have if x is 7 high and 7 wide? The right answer makes x that large.',
      asks: { count: 'rows of y', is: 3 },
      hint: 'Put h = 7 and s = 2 into the formula, with the kernel of the page.',
      solution: 'h=7&w=7',
      outcome: '(7 − 3) / 2 = 2, and the first position makes 3: y is 3 × 3.',
      notes:
        'Try 6 as well: (6 − 3) / 2 = 1.5, rounded down to 1, so y is 2 × 2 as for 5. No window reads the last row and column of x (hatched). The lesson on the remainder explains them.',
    },
  ],
};

export const padding: Lesson = {
  id: 'padding',
  title: 'Padding, and what SAME means',
  sentence: 'Zeros around x keep y as large as x, and let more windows read the cells at the edge.',
  minutes: 7,
  gradients: [],
  steps: [
    {
      title: 'The edge is read less often',
      link: `${FLAT}&cell=x.12`,
      words: [
        'Here x and w are all 1, so each cell of y counts the cells of its window: 9. The chosen cell `x[2,2]`, in the middle, is read by all 9 windows.',
        'What about the corners?',
      ],
      task: 'Find a cell of x that is read by a single window, and choose it.',
      goal: pinsRead(1),
      solution: 'cell=x.0',
      hint: 'Look for a cell that only one window contains.',
      outcome:
        'Each of the four corners is read once: only one window contains it. So the edge of an image has little influence on y. Each layer with a 3 × 3 kernel and no padding also makes y two rows and columns smaller.',
      notes:
        'The panel below lists the cells of y that use a cell of x. The view “Sizes and coverage” shows the same as a map, for any problem.',
    },
    {
      title: 'A ring of zeros',
      link: `${BOX}&padding=1`,
      words: [
        '*Padding* puts zeros around x (dotted on the page). The window can then be partly outside x, so there are more positions. Without padding y is 3 × 3; with one ring of zeros it is 5 × 5, as large as x.',
        'The zeros are part of the sums but do not change them: a product with 0 is 0. All weights are 1 here, so each cell of y is the sum of its window.',
      ],
      task: 'What is `y[0,0]`, the sum of the window at the top left corner?',
      asks: 'y.0',
      outcome:
        'The window has four cells of x and five zeros: `y[0,0] = 0 + 1 + 5 + 6 = 12`. A window inside x adds nine cells. So values fall towards the edge, because of the zeros.',
      notes: 'Other paddings exist (mirrored, repeated edge). Network layers mostly use zeros.',
    },
    {
      title: 'valid, same, full',
      link: `${FLAT}&padding=valid&cell=y.0`,
      words: [
        'Three amounts have names. *valid* means none: every window is inside x. *same* keeps y as large as x. *full* pads kernel − 1 on each side, so that every cell of x meets every weight.',
        'With valid, as now, y is 3 × 3. The formula with P, the padding on each side (top and bottom, left and right):',
      ],
      formula: 'oh = floor((h + 2·P − kh) / s) + 1',
      task: 'How many rows does y have with full padding? The right answer sets it.',
      asks: { count: 'rows of y', is: 7 },
      hint: 'Full padding adds kernel − 1 zeros on each side: P = 2. The stride is 1.',
      solution: 'padding=full',
      outcome:
        'Two zeros on each side, P = 2: 5 + 2·2 − 3 + 1 = 7, so y is 7 × 7. Now 9 windows read every cell of x, the corners too. The lesson on dx uses full padding again.',
      notes: 'With valid y is 3 × 3, with same 5 × 5, with full 7 × 7. Let the class predict all three.',
    },
    {
      title: 'What SAME means with a stride',
      link: 'h=6&kh=3&stride=2&padding=same&x=ones&weights=ones&dy=ones',
      words: [
        'With a stride y cannot stay as large as x. Then *same* means: the input size divided by the stride, rounded up. Padding adds the zeros that this needs.',
        'Here x is 6 × 6 and the stride is 2, so y needs three rows and three columns. One row and one column of zeros are enough. TensorFlow puts them at the bottom and at the right (dotted). x and w are all 1: `y[0,0] = 9`.',
      ],
      task: 'What is `y[2,2]`, where the row and the column of zeros meet?',
      asks: 'y.8',
      outcome:
        'Four cells of x and five zeros: `y[2,2] = 4`. At the opposite corner nothing is missing. With an odd padding, one side gets more zeros than the other.',
      notes:
        'PyTorch’s padding=1 puts zeros on all four sides instead: same sizes, different values. If you move a network between frameworks and forget this, it is off by half a cell. PyTorch refuses padding="same" with a stride for this reason.',
    },
  ],
};
