import { type Lesson, pins } from './lesson';

const ERROR = 'h=5&kh=3&x=corner&weights=filter:sobel_x&dy=mse:0';
const FOUR = 'h=4&kh=3&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';
const RANDOM = 'h=8&kh=3&x=random:3&weights=constant:0&dy=mse:0&mode=learn&learn.task=blur';

export const loss: Lesson = {
  id: 'loss',
  title: 'The loss and dy',
  sentence: 'How a loss scores y, and how it changes with each cell of y.',
  minutes: 7,
  gradients: ['dy'],
  steps: [
    {
      title: 'One number for the whole error',
      link: `${ERROR}&cell=y.0`,
      gradients: [],
      words: [
        'We want y to match a *target*: here 0 in every cell. The *loss* `L` is one number that says how far y is from it. Training a network means: make L smaller.',
        'This loss squares each difference, adds the squares, and divides by 2N. N = 9 is the number of cells of y: 52 / 18 = 2.889.',
        'How much does L change if a single cell of y changes a little? That rate is the *derivative* dL/dy of that cell. It is large where the difference is large.',
      ],
      formula: 'L = Σ (y − target)² / (2N)',
      task: 'Choose a cell of y that adds most to L.',
      goal: pins('y.6', 'y.7'),
      hint: 'Look for the largest difference from the target 0.',
      solution: 'cell=y.6',
      outcome:
        '`y[2,0] = 4` and `y[2,1] = 4`, and the target is 0. The square of each is 16 of the 52. L changes fastest with these two cells.',
      notes:
        'The 2 in the denominator cancels the 2 from the derivative of the square. Books differ in this factor; the lesson on bias and batch returns to it. N counts the cells of y here, not the images of a batch.',
    },
    {
      title: 'What dy means',
      link: ERROR,
      words: [
        '`dy[i,j]` is short for dL/dy[i,j]. If that cell of y grows by a tiny amount, L grows by dy[i,j] times that amount. The derivative of half the square is the difference itself, and the loss divides it by N. All these derivatives together are the *gradient* of L with respect to y.',
        'Positive: a smaller y would be better. Negative: a larger y would be better. Zero: a tiny change there makes no difference.',
        'Why dy first? A weight changes y, and y changes L. The *chain rule* multiplies the two rates: dL/dw = dL/dy · dy/dw, added over all cells of y.',
      ],
      formula: 'dy[i,j] = (y[i,j] − target[i,j]) / N',
      task: 'y[2,0] is 4, the target is 0, and N = 9. What is `dy[2,0]`?',
      asks: 'dy.6',
      hides: 'dy,dx,dw,db',
      outcome:
        '`dy[2,0] = 4/9`, about 0.444. In the right column y is 0 and so is the target: `dy[0,2] = 0`. Such a cell contributes nothing to any gradient.',
      notes:
        'Draw the parabola (y − target)² and its tangent. The lesson on the gradient check measures such derivatives by moving a number.',
    },
    {
      title: 'A layer in the middle',
      link: ERROR,
      words: [
        'Most layers are not the last: their y goes into further layers, and the loss comes much later. Then dy comes from the layer after this one, the *upstream* gradient. This layer takes it as given, and the chain rule goes on from there.',
        'You can compute dy from a loss or set it yourself.',
      ],
      task: 'In the controls, set the values of dy to “ones”.',
      goal: ({ problem: { dy } }) => dy.kind === 'ones',
      solution: 'dy=ones',
      points: ['controls:dy'],
      outcome:
        'Now every cell of y counts the same: `dy[0,0] = 1`, as if the loss were the sum of y. In general L is then Σ y · dy, a weighted sum of y.',
      notes:
        'With dy = ones the gradients are easy to count, so many textbook examples use it without saying so. It also hides mistakes, because all its cells are the same.',
    },
    {
      title: 'What dy is for',
      link: `${ERROR}&cell=y.3`,
      gradients: ['dx', 'dw', 'db', 'dy'],
      words: [
        'From dy the layer computes three more gradients. `dw` says how L changes with each weight: training needs it. `db` is the same for the bias. And `dx` says how L changes with each cell of x.',
        'x is the output of the layer before, which needs an upstream gradient as well. So the gradient goes back through the network, layer by layer: *backpropagation*.',
      ],
      task: 'Which of the three gradients does the layer before take as its dy?',
      asks: { options: ['dw', 'db', 'dx'], right: 2 },
      hint: 'Which of them has a cell for each output of the layer before?',
      solution: 'cell=dx.12',
      outcome:
        'dx. Its shape is that of x, the output of the layer before. The sum of the chosen cell is listed below the lesson: cells of dy times weights. The next lessons explain these sums: dw first, then dx.',
      notes:
        'Most lecture notes write dy, dx, dw, db. PyTorch says grad_output, grad_input, grad_weight, grad_bias; oneDNN says diff_dst, diff_src, diff_weights, diff_bias.',
    },
  ],
};

export const dw: Lesson = {
  id: 'dw',
  title: 'dw: the gradient of a weight',
  sentence: 'Every position of the window uses each weight, so its gradient is a sum over all positions.',
  minutes: 8,
  gradients: ['dw', 'dy'],
  steps: [
    {
      title: 'One weight, four products',
      link: `${FOUR}&cell=w.0`,
      gradients: [],
      words: [
        'The window has four positions here. The top left weight `w[0,0]` multiplies a different cell of x at each: 0, 1, 4 and 5. They are framed in x.',
        'So if w[0,0] grows by 1, the four cells of y grow by 0, 1, 4 and 5.',
      ],
      task: 'Choose the weight that multiplies the bottom right cell of x, 15, at the last position.',
      solution: 'cell=w.8',
      hint: 'At the last position the window covers rows 1 to 3 and columns 1 to 3 of x. Which weight is on its bottom right cell?',
      outcome:
        'That is `w[2,2] = 1`. At the four positions it multiplies `x[2,2] = 10`, `x[2,3] = 11`, `x[3,2] = 14` and `x[3,3] = 15`.',
      notes:
        'x counts from 0 to 15, so each value of x is also the index of its cell. dy is given as 1, 2, 3, 4: all different, so that nothing cancels by accident.',
    },
    {
      title: 'Each product is multiplied by its dy',
      link: FOUR,
      words: [
        'A weight changes several cells of y, and each of them changes the loss. The *chain rule* multiplies along each path and adds the paths. dL/dy is dy. dy/dw is the cell of x that the weight multiplied.',
        'So multiply each cell of x that the weight meets by the dy of that position, and add. For w[0,0]:',
      ],
      formula: 'dw[0,0] = 1·0 + 2·1 + 3·4 + 4·5 = 34',
      task: 'The weight w[0,1] multiplies 1, 2, 5 and 6. What is `dw[0,1]`?',
      asks: 'dw.1',
      later: 'dw.4,dw.8',
      outcome: '`dw[0,1] = 1·1 + 2·2 + 3·5 + 4·6 = 44`: dL/dw[0,1] = Σ dL/dy[i,j] · dy[i,j]/dw[0,1].',
      notes:
        'dw always has the size of w. It says how the loss changes with each weight. So training moves w a little in the opposite direction: w − rate · dw.',
    },
    {
      title: 'One window at a time',
      link: `${FOUR}&mode=dw&dw.way=direct&dw.accumulated=4`,
      words: [
        'You can also go position by position. Multiply the whole window of x by the one dy of that position, and add it to dw. dw starts at 0. The player shows each position.',
        'The sums are the same, only in another order. The bottom right cell of dw collects the bottom right cell of each window, 10, 11, 14 and 15, each times its dy.',
      ],
      task: 'After the four positions, what is `dw[2,2]`?',
      asks: 'dw.8',
      later: 'dw.4',
      outcome:
        '`dw[2,2] = 1·10 + 2·11 + 3·14 + 4·15 = 134`. After two positions it was 10 + 22 = 32; the last two add 42 and 60.',
      notes:
        'Go back with the player and pause before each step: let a student name the window and its dy. Because every position adds, a program that writes = in place of += keeps only the last position.',
    },
    {
      title: 'It is a convolution again',
      link: `${FOUR}&mode=dw&dw.way=dilated_dy&dw.t=5`,
      words: [
        'y is x convolved with w. In the same way, dw is x convolved with dy: dy takes the place of the kernel. dy is not flipped and not padded: it slides over x.',
        'dy is 2 × 2 and x is 4 × 4, so there are 3 × 3 positions. w has exactly as many weights: each position gives one cell of dw.',
      ],
      formula: 'dw[p,q] = Σ{i,j} x[i+p,j+q] · dy[i,j]',
      task: 'At the fifth position, in the middle, dy lies on 5, 6, 9 and 10. What is `dw[1,1]`?',
      asks: 'dw.4',
      outcome:
        '`dw[1,1] = 1·5 + 2·6 + 3·9 + 4·10 = 84`. dw needs no code of its own: a program for the forward pass computes it, with dy in place of w.',
      notes:
        'With a stride, zeros are inserted into dy first: the windows of x are that far apart. The same view shows it; set the stride to 2 there.',
    },
  ],
};

export const learning: Lesson = {
  id: 'learning',
  title: 'A kernel that learns',
  sentence: 'What dw is for: follow it downhill, step by step, until y matches the target.',
  minutes: 9,
  gradients: ['dw', 'dy'],
  steps: [
    {
      title: 'Guess, and measure the error',
      link: `${RANDOM}&learn.rate=0.1`,
      words: [
        'The *target* is a blurred x. Which kernel blurred it? We begin with a w of zeros, so y is 0 everywhere. The loss L says how far y is from the target.',
        'dw says how L changes with each weight. So move every weight a little against its dw, and L becomes smaller. That is *gradient descent*; the *learning rate* says how far to move.',
      ],
      formula: 'w ← w − rate · dw',
      task: 'In the first step the dw of the middle weight is negative. What does the weight do? The right answer does four steps.',
      asks: { options: ['It grows.', 'It shrinks.', 'It stays 0.'], right: 0 },
      hint: 'Put a negative dw into the formula.',
      solution: 'learn.t=4',
      outcome:
        'It grows: minus a negative number is plus. With each step L becomes smaller, y closer to the target, and dw smaller. Each step runs forward, computes the loss, and runs backward.',
      notes:
        'The training sees only x and the target, never the kernel. Let the class guess from the first dw which weight will become the largest. It is the weight with the most negative dw.',
    },
    {
      title: 'How the weights change',
      link: `${RANDOM}&learn.rate=0.1&learn.t=60&learn.plot=weights`,
      words: [
        'After 60 steps w is nearly the kernel that produced the target. It was computed from x, the target and the error alone.',
        'The chart has a line for each weight. They end at the dashes: the weights of the blur.',
      ],
      task: 'Which weight of w ends highest?',
      asks: { options: ['one at a corner', 'one at an edge', 'the one in the middle'], right: 2 },
      hint: 'Compare the numbers in w.',
      outcome:
        'The middle: a blur counts the pixel itself most, and the corners a quarter of it. A network learns in exactly this way, with millions of weights and many images.',
      points: ['panel:w'],
      notes:
        'Drag the player back and forth: the page computes every step again, from the same start, with bit-identical results.',
    },
    {
      title: 'A learning rate that is too large',
      link: `${RANDOM}&learn.rate=0.1&learn.t=30`,
      words: [
        'With a larger learning rate you need fewer steps, up to a limit. L is a bowl. A step that is too long lands higher on the other side, and the next step is longer still.',
        'The limit depends on the largest *curvature* of the bowl, λ (lambda), which the page computes. The learning rate must stay below 2 / λ = 0.233. The page shows that number beside the learning rate.',
      ],
      formula: 'rate < 2 / λ',
      task: 'Set the learning rate above that limit: 0.3 or more.',
      solution: 'learn.rate=0.3',
      points: [],
      outcome:
        'The curve rises without limit: learning *diverges*. In the steepest direction each step multiplies the error by 1 − rate · λ. With a rate of 0.3: 1 − 0.3 · λ = −1.58. So the error changes its sign and grows.',
      notes:
        'In that direction the error e becomes (1 − rate · λ) e. At 2 / λ the factor is −1: the error neither shrinks nor grows. λ is the largest eigenvalue of the matrix of second derivatives. The page finds it by power iteration: forward, backward, divide by the length, repeat.',
    },
    {
      title: 'What cannot be learned',
      link: `${RANDOM}&learn.rate=0.1&learn.t=60`,
      words: [
        'Real targets are measured, and measurements are a little wrong. No kernel can reproduce such *noise* exactly: it differs from cell to cell, and the same nine weights serve all cells.',
      ],
      task: 'The right answer adds a random number from −0.3 to 0.3 to each cell of the target. What happens to L?',
      asks: { options: ['It still falls to 0.', 'It stays above 0.', 'It rises without limit.'], right: 1 },
      hint: 'For L = 0, y must match the noisy target in every cell.',
      solution: 'learn.noise=0.3',
      outcome:
        'The curve flattens above 0: the rest of L is the noise. w does not become exactly the kernel: the nine weights fit a little of the noise. More images would help, because the noise of each is different.',
      notes:
        'The noise takes one of nine values, evenly from −a to a. Their mean square is 0.42 a², and half of it is 0.019 here. The nine weights fit about a quarter of that, since y has 36 cells. Compare with the loss that remains.',
    },
  ],
};
