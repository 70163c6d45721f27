import type { Lesson } from '../lesson';

const ERROR = 'h=5&kh=3&x=corner&weights=filter:sobel_x&dy=mse:0';

export const lesson: Lesson = {
  place: 5,
  title: 'The loss and dy',
  sentence: 'What is wanted of y, put into one number, and how that number changes with each cell of y.',
  steps: [
    {
      title: 'One number for all that is wrong',
      link: ERROR,
      words: [
        'Somebody wants y to be something else, the *target*: here 0 in every cell. The *loss* `L` is one number that says how far y is from it. Training a network means: make L smaller.',
        'This one squares each difference, adds them up, and divides by 2N, where N = 9 is the number of cells of y: 52 / 18 = 2.889.',
      ],
      formula: 'L = Σ (y − target)² / 2N',
      task: {
        words: 'Choose the cell of dy that stands where y is 4 at the left: bottom left.',
        goal: { kind: 'cell', among: ['dy.6'] },
        solution: 'cell=dy.6',
        seen: 'Half of the square’s slope is the difference itself: `dy[2,0] = 4/9`, the difference 4 divided by N.',
        claims: [{ tensor: 'y', at: [2, 0], value: 4 }],
      },
      points: ['panel:dy'],
      claims: [{ loss: 2.889 }],
      notes:
        'The 2 below the fraction is there so that it cancels the 2 from the derivative of the square. Books differ in this factor; the lesson on bias and batch comes back to it.',
    },
    {
      title: 'What dy means',
      link: `${ERROR}&cell=dy.6`,
      words: [
        '`dy[i,j]` is short for dL/dy[i,j]: if that cell of y grows by a tiny amount, L grows by dy[i,j] times that amount. All these slopes together are the *gradient* of L with respect to y.',
        'Positive: a smaller y would be better. Negative: a larger one. Zero: a tiny change there makes no difference.',
      ],
      formula: 'dy[i,j] = (y[i,j] − target[i,j]) / N',
      task: {
        words: 'Find a cell of dy that is 0 and choose it.',
        goal: { kind: 'cell', among: ['dy.2', 'dy.5', 'dy.8'] },
        solution: 'cell=dy.2',
        seen: 'There y is 0 and so is the target: nothing to complain of. `dy[0,2] = 0`, and whatever made that cell of y will hear nothing from it.',
      },
      points: ['panel:dy'],
      notes:
        'Draw the parabola (y − target)² and its tangent. The gradient check, a lesson of its own, measures such slopes by moving a number.',
    },
    {
      title: 'Somewhere in the middle',
      link: ERROR,
      words: [
        'Most layers are not the last: their y goes into further layers, and the loss is far away. Then dy is what comes back from behind, *upstream* of here, and this layer just takes it.',
        'The page can do both: dy from a loss, or dy as you like.',
      ],
      task: {
        words: 'In the controls, at the lower end, set the values of dy to “ones”.',
        goal: { kind: 'source', of: 'dy', is: 'ones' },
        solution: 'dy=ones',
        seen: 'Now every cell of y counts the same: `dy[0,0] = 1`, as if the loss were the sum of y. In general L is then Σ y · dy, a weighted sum of y.',
      },
      points: ['controls:dy'],
      notes:
        'With dy = ones the gradients are easy to count by hand, so many textbook examples use it without saying so. It also hides mistakes, because all its cells are the same.',
    },
    {
      title: 'What it is all for',
      link: `${ERROR}&cell=y.3`,
      words: [
        'From dy the layer works out three more gradients. `dw` says how L changes with each weight: that is what training needs. `db` is the same for the bias.',
        'And `dx` says how L changes with each cell of x. x came out of the layer before: for that layer, dx is dy. So the gradient travels back through the network: *backpropagation*.',
      ],
      task: {
        words: 'Follow the arrows from dy, and choose any cell of dx.',
        goal: { kind: 'cell', among: ['dx'] },
        solution: 'cell=dx.12',
        seen: 'What made it is listed below: cells of dy times weights. Where the weights come from is the story of the next lessons: dw first, then dx.',
      },
      points: ['panel:dx'],
      notes:
        'dy, dx, dw, db are the names of most lecture notes; PyTorch says grad_output, grad_input, grad_weight, grad_bias, oneDNN diff_dst, diff_src, diff_weights, diff_bias.',
    },
  ],
};
