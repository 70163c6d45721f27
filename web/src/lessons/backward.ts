import { type Lesson, pinsRead } from './lesson';

const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';
const SINGLE = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=one_hot:0';
const CHECK = `${FOUR}&mode=gradient-check`;
const SMALL = 'h=4&kh=3&x=random:3&weights=filter:blur&dy=ones&mode=gradient-check';

export const scatter: Lesson = {
  id: 'scatter',
  title: 'dx by scatter',
  sentence: 'Each cell of dy adds a stamp of w to the cells of its window. Where stamps overlap, they add.',
  minutes: 8,
  gradients: ['dx', 'dy'],
  steps: [
    {
      title: 'One cell of dy, one stamp',
      link: `${SINGLE}&board.paint=true`,
      words: [
        'Let only `y[0,0]` matter for the loss: dy is 1 there and 0 elsewhere. y[0,0] is the sum of nine cells of x, each times a weight. If such a cell grows by 1, y[0,0] grows by exactly that weight.',
        'So dx is w itself, stamped on the window: `dx[0,0] = 9`, and in the middle of the window `dx[1,1] = 5`.',
      ],
      task: 'Choose the bottom right cell of dy: the single 1 moves there.',
      goal: ({ problem: { dy } }) => 'index' in dy && dy.index === 3,
      solution: 'dy=one_hot:3',
      hint: 'Look for row 1 and column 1 of dy.',
      outcome:
        'The stamp moved to the last window, rows 1 to 3. Now `dx[1,1] = 9`: the same cell of x, with another weight.',
      points: ['panel:dy'],
      notes:
        'The stamp is w itself, not flipped. The flip appears in the next lesson, where we compute a single cell of dx.',
    },
    {
      title: 'Stamps overlap and add up',
      link: `${FOUR}&mode=dx&dx.way=scatter&dx.t=4`,
      words: [
        'With all of dy there are four stamps, each w times its own dy: 1, 2, 3 and 4 times w. A cell of x that several windows read gets several stamps, and its gradient is their sum.',
        'That is *scatter*: each cell of dy adds its share to every cell of its window. The middle cell dx[1,1] gets a term from each stamp, with another weight each time: 5, 6, 8 and 9.',
      ],
      formula: 'dx[i+p,j+q] += dy[i,j] · w[p,q]',
      task: 'What is `dx[1,1]` after all four stamps?',
      asks: 'dx.5',
      later: 'dx.6',
      outcome:
        '`dx[1,1] = 1·5 + 2·6 + 3·8 + 4·9 = 77`. With each stamp it grew: 5, 17, 41, 77. Go back with the player to see them.',
      notes:
        '+= means: add to the value that is there. We follow the cell dx[1,1] through this lesson and the next. Write its sum on the board and leave it there.',
    },
    {
      title: 'How many stamps each cell gets',
      link: `${FOUR}&cell=dx.5`,
      words: [
        'In a 4 × 4 input with four windows, the middle cells are read four times and the corners once: `dx[0,0] = 1·9 = 9`.',
        'So a gradient is often larger in the middle of an image than at its edge. More windows read the middle, so more stamps are added there.',
      ],
      task: 'Choose a cell of dx that gets exactly two stamps.',
      later: 'dx.6',
      goal: pinsRead(2),
      solution: 'cell=dx.1',
      hint: 'Look for a cell that exactly two windows read.',
      outcome:
        'Along the edges, between the corners, two windows read every cell. `dx[0,1] = 1·8 + 2·9 = 26` is such a cell.',
      notes:
        'The view “Sizes and coverage” draws this count as a map. With padding the corners are read more often, as in the lesson on padding.',
    },
    {
      title: 'The same weight, forward and back',
      link: FOUR,
      words: [
        'Forward, x[1,1] is multiplied by w[1,1] and added to y[0,0]. Backward, dy[0,0] is multiplied by the same w[1,1] and added to dx[1,1].',
        'Every product of the forward pass has such a counterpart in the backward pass. It has the same weight, in the opposite direction.',
        'In y[0,0], x[1,2] meets w[1,2] = 4. In y[0,1] it meets w[1,1] = 5, in y[1,0] w[0,2] = 7, and in y[1,1] w[0,1] = 8.',
      ],
      task: 'So what is `dx[1,2]`?',
      asks: 'dx.6',
      later: 'dx.10',
      outcome:
        '`dx[1,2] = 1·4 + 2·5 + 3·7 + 4·8 = 67`. There are four products because four windows read x[1,2]: which dy, times which weight. The next lesson continues there.',
      notes:
        'In matrix form: forward is y = C x, and backward is dx = Cᵀ dy, with rows and columns exchanged. The lesson on transposed convolution explains it.',
    },
  ],
};

export const gather: Lesson = {
  id: 'gather',
  title: 'dx by gather, and why the kernel is flipped',
  sentence: 'Compute one cell of dx at a time: it collects its terms, and the weights come in reverse order.',
  minutes: 10,
  gradients: ['dx', 'dy'],
  steps: [
    {
      title: 'Collect instead of scatter',
      link: FOUR,
      words: [
        'Back to dx[1,1]. In y[0,0] its cell of x was under w[1,1] = 5. Move the window right, to y[0,1]: it is under w[1,0] = 6. Move it down, to y[1,0]: w[0,1] = 8. In y[1,1]: w[0,0] = 9.',
        'The window moves right, so the cell seems to move left under it. That is why the kernel is flipped.',
      ],
      formula: 'dx[1,1] = 1·5 + 2·6 + 3·8 + 4·9 = 77',
      task: 'What is `dx[2,2]`? In y[0,0] its cell of x was under w[2,2].',
      asks: 'dx.10',
      later: 'dx.4',
      outcome:
        '`dx[2,2] = 1·1 + 2·2 + 3·4 + 4·5 = 37`. dy runs 1, 2, 3, 4, and the weights w[2,2], w[2,1], w[1,2], w[1,1] run backwards.',
      notes:
        'Put a coin under a paper window and slide the window to the right. In the window, the coin goes left. Do it: students remember it better than the formula.',
    },
    {
      title: 'One cell in one step',
      link: `${FOUR}&mode=dx&dx.way=gather&dx.t=5`,
      words: [
        '*Gather* computes dx cell by cell. For each cell of dx, find all windows that read it. Multiply each dy by the weight that was on the cell, and add. Where m − p or n − q is outside of dy, there is no such window, and nothing is added.',
        'Scatter adds to a cell many times; gather writes it once. The values are the same.',
      ],
      formula: 'dx[m,n] = Σ{p,q} dy[m−p,n−q] · w[p,q]',
      task: 'Step 5 computes `dx[1,0]`, a cell that two windows read. What is it?',
      asks: 'dx.4',
      outcome:
        'With m = 1 and n = 0, only q = 0 gives a cell of dy: `dx[1,0] = 1·6 + 3·9 = 33`. Step 6 computes dx[1,1] in one step.',
      notes: 'Look at the signs: forward has i + p, backward has m − p. Going forward in w means going backward in dy.',
    },
    {
      title: 'Flipped by 180°',
      link: `${FOUR}&mode=dx&dx.t=5`,
      words: [
        'This sum runs forward in w and backward in dy. So flip w by 180°: 1, 2, 3 in the first row, 9 at the end. Now both run forward, and gather is an ordinary convolution of dy with the flipped w.',
        'dy gets a border of zeros, kernel − 1 wide, so that every overlap is included. This is *full* padding, here 2.',
      ],
      task: 'The page shows position 5, for dx[1,0]. At position 6, for dx[1,1], which weights of the flipped w lie on 1, 2, 3 and 4, the cells of dy?',
      asks: { options: ['1, 2, 4, 5', '5, 6, 8, 9', '9, 8, 6, 5'], right: 1 },
      hint: 'The window moves one cell to the right, and covers all of dy with its bottom right part.',
      solution: 'dx.t=6',
      outcome:
        'The bottom right part of the flipped w: 1·5 + 2·6 + 3·8 + 4·9, 77 again. dy is padded to 6 × 6, and a kernel of 3 has 4 × 4 positions there: as many as dx has cells.',
      notes:
        'The player goes through all positions. The class has now computed the same cell in three ways: scatter, gather, flipped kernel.',
    },
    {
      title: 'If you forget to flip w',
      link: `${FOUR}&mode=dx&dx.t=6`,
      words: [
        'The flip is the step that is forgotten most often. Without it each dy is multiplied by the wrong weight.',
        'At position 6 the bottom right part of the kernel lies on dy. Without the flip that part is 5, 4, 2, 1.',
      ],
      task: 'What does a program without the flip give for dx[1,1], in place of 77? The right answer skips the flip.',
      asks: { count: 'dx[1,1] without the flip', is: 23 },
      hint: 'Multiply 1, 2, 3, 4 by 5, 4, 2, 1, and add.',
      solution: 'dx.unturned=true',
      outcome:
        'The cell in row 1, column 1 becomes 1·5 + 2·4 + 3·2 + 4·1 = 23. With a symmetric kernel, such as a blur, you would not see the mistake. Test with an asymmetric kernel.',
      notes:
        'The flip reverses the rows and the columns. It is not the same as transposing w. Ask which of the two gives 23 (neither: w was unchanged).',
    },
    {
      title: 'Not flipped and flipped: the same pairs',
      link: `${FOUR}&cell=dx.5`,
      words: [
        'Forward, w is not flipped: y[i,j] multiplies x[i+p, j+q] by w[p,q]. Backward, it seems flipped. Both directions use the same four pairs of x and y, each with its own weight.',
        'From a cell of y, the cells of its window are to the right and below. From a cell of x, the windows that read it begin to the left and above. The reversed direction is the flip.',
      ],
      task: 'Choose the cell of y in which x[1,1] was multiplied by w[0,0].',
      solution: 'cell=y.3',
      hint: 'Look for the window that begins at x[1,1] itself.',
      outcome:
        'Its window begins at x[1,1] itself. `y[1,1] = 372` is the last window that reads the cell; it adds the last term, 4·9.',
      notes:
        'In mathematics a convolution flips w in the forward pass. Then the backward pass does not flip it. Exactly one of the two directions flips w.',
    },
  ],
};

export const gradientChecks: Lesson = {
  id: 'check',
  title: 'Is my gradient right?',
  sentence: 'Move a number a little, run forward twice, compare: a test that finds almost any wrong gradient.',
  minutes: 8,
  gradients: ['dw', 'dy'],
  steps: [
    {
      title: 'Check it numerically',
      link: FOUR,
      words: [
        'Is a gradient right? If w[0,0] grows by a tiny ε (epsilon), the loss grows by dw[0,0] · ε. You can measure that. Run the forward pass with the weight larger by ε, and again with the weight smaller by ε.',
        'The difference of the two losses, divided by 2ε, is the slope. It does not use the backward pass. This is the *gradient check*.',
      ],
      formula: 'dL/dw ≈ (L(w+ε) − L(w−ε)) / (2ε)',
      task: 'With ε = 0.5 the two losses are 3017 and 2983. What is `dw[0,0]`?',
      asks: 'dw.0',
      outcome:
        '(3017 − 2983) / (2 · 0.5) = 34, and the backward pass gives the same: `dw[0,0] = 1·0 + 2·1 + 3·4 + 4·5 = 34`. The loss is the sum of y · dy here, 3000.',
      notes:
        'Choose dw[0,0] and let the class say its sum. In the view of the next step every number comes from a real run of the library. float32 has about 7 digits, float64 about 16.',
    },
    {
      title: 'For every gradient',
      link: CHECK,
      words: [
        'One cell may be right and another wrong: at the edge, in the last row, in the second image. So check all cells of dw, db and dx. The page now shows the check of dw. The table has both losses, the finite difference, and the gradient of the backward pass.',
        'The map shows the relative error of each cell: the difference of the two numbers, compared with their size.',
      ],
      task: 'dx has 16 cells here. How many forward passes does its check run? The right answer checks dx.',
      asks: { count: 'forward passes', is: 32 },
      hint: 'Each cell is moved up once and down once.',
      solution: 'gradient-check.parameter=x',
      outcome:
        'Two for each cell, so it is a test and not a way to train. All 16 cells of dx agree. A forgotten flip, forgotten zeros or = in place of += would each highlight cells here.',
      notes:
        'To check your own program, choose odd sizes, padding, a stride that leaves a remainder, and a batch of 2. Square, even and symmetric problems hide mistakes.',
    },
    {
      title: 'A small step is not always better',
      link: `${SMALL}&gradient-check.loss=log_cosh`,
      words: [
        'If the loss is a weighted sum of y, it is a straight line in every weight, and any large ε measures its slope. The loss here, “log-cosh”, is curved: a large ε gives a wrong slope.',
        'A tiny ε subtracts two nearly equal numbers, and few correct digits remain. The chart shows the error for each ε.',
      ],
      task: 'Which ε has the smallest error?',
      asks: { options: ['the largest', 'one in between', 'the smallest'], right: 1 },
      hint: 'Look for the lowest point of the lines in the chart.',
      outcome:
        'The error has the form of a U. If ε is too large, the curvature causes the error; if ε is too small, rounding does. The best ε is between.',
      notes:
        'The error of the central difference falls with ε², and the rounding error grows with 1/ε. So the best ε is about the cube root of the precision: 0.005 for float32, 0.00001 for float64.',
    },
    {
      title: 'More digits',
      link: `${SMALL}&gradient-check.loss=log_cosh&gradient-check.parameter=w&gradient-check.epsilon=0.000001`,
      words: [
        'The map now shows errors of up to 6 %, in single precision (float32, about 7 digits) with a step of 0.000001.',
      ],
      task: 'Is the gradient wrong? The right answer repeats the check in double precision (float64, about 16 digits).',
      asks: { options: ['Yes.', 'No: the step is too small for 7 digits.'], right: 1 },
      hint: 'Where is this ε on the U of the step before?',
      solution: 'gradient-check.precision=float64',
      outcome:
        'The errors fall by several powers of ten, and the gradient is confirmed. Check in double precision, even if the program later runs in single precision. With a good ε, a right gradient in float64 has a relative error below 10⁻⁴ here. A mistake of 1 % stays at 10⁻².',
      notes: 'PyTorch’s gradcheck expects double precision and says so in its error message.',
    },
  ],
};
