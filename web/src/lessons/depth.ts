import { openOf } from '../state/problem';
import type { Goal, Lesson } from './lesson';

/** Lessons on many layers: how far a cell sees, and what becomes of the gradient. */

const FIELD = 'h=6&kh=3&x=ramp&weights=ones&layer.2=conv;kh:3;kw:3;weights:ones&dy=ones&mode=network';

/** So many layers follow the open one. */
const follow =
  (count: number): Goal =>
  ({ problem }) =>
    problem.layers.length - 1 - problem.open === count;

export const receptive: Lesson = {
  id: 'receptive',
  title: 'Receptive fields grow',
  sentence: 'How much of the image one cell sees: each layer adds to it, and pooling doubles the steps.',
  minutes: 7,
  gradients: ['dx', 'dy'],
  steps: [
    {
      title: 'A window of windows',
      link: FIELD,
      words: [
        'A cell of y2 reads 3 × 3 cells of y1. Each of those reads 3 × 3 cells of x, and these windows overlap.',
        'All cells of x that a cell depends on are its *receptive field*.',
      ],
      task: 'How many rows of x does the cell y2[0,0] depend on?',
      asks: { count: 'rows of x', is: 5 },
      hint: 'It reads rows 0, 1 and 2 of y1. Which rows of x do these read?',
      solution: 'network.cell=y2.0',
      outcome:
        'Five: rows 0 to 4, and as many columns. Its receptive field is framed in x: 5 × 5. Point at other cells of y2.',
      notes: 'The second layer adds 3 − 1 = 2 rows to the 3 of the first.',
    },
    {
      title: 'One more layer',
      link: 'h=7&kh=3&x=ramp&weights=ones&layer.2=conv;kh:3;kw:3;weights:ones&dy=ones&mode=network',
      words: ['With stride 1, each layer adds its kernel minus one: the last window moves the others by that much.'],
      formula: 'r = 1 + Σ (k − 1)',
      task: 'How many rows of x does a cell see after a third layer of 3 × 3? The right answer adds it.',
      asks: { count: 'rows of x', is: 7 },
      hint: 'Two layers see five rows. The third adds as much as the second did.',
      goal: follow(2),
      solution: 'layer.3=conv;kh:3;kw:3;weights:ones&network.cell=y3.0',
      points: [],
      outcome: 'Seven: 1 + 2 + 2 + 2. Here that is all of x. The one cell of y3 depends on every pixel.',
      notes:
        'Ten layers of 3 × 3 see 21 rows. That is slow growth for an image with 1000 rows, so networks make strides.',
    },
    {
      title: 'Two small kernels or a large one',
      link: `${FIELD}&network.cell=y2.0`,
      words: ['Two layers of 3 × 3 see 5 × 5 cells, like one layer of 5 × 5. The large kernel has 25 weights.'],
      task: 'How many weights have the two small kernels together?',
      asks: { count: 'weights', is: 18 },
      hint: 'Each kernel has 3 × 3 weights.',
      outcome:
        'Eighteen, fewer than 25, and a ReLU fits between them. But not every 5 × 5 kernel is two of 3 × 3: 18 numbers cannot be any 25.',
      notes: 'That is the argument of the VGG networks of 2014: small kernels, more layers.',
    },
    {
      title: 'Pooling doubles the steps',
      link: 'h=6&kh=3&x=ramp&weights=ones&layer.2=max_pool;kernel:2&layer.3=conv;kh:2;kw:2;weights:ones&dy=ones&mode=network',
      words: [
        'After pooling with stride 2, neighbors are two cells apart in y1 and in x. Every kernel behind it reaches twice as far.',
        'Layer 1 sees 3 rows, and pooling adds 1 to them: a cell of y2 sees 4. Layer 3 reads two neighbors of y2.',
      ],
      task: 'How many rows of x does the cell of y3 depend on?',
      asks: { count: 'rows of x', is: 6 },
      hint: 'The second neighbor begins two rows further down.',
      solution: 'network.cell=y3.0',
      outcome:
        'Six: 4 + 1 · 2. Without the stride it would be 5. After three poolings each kernel reaches eight times as far.',
      notes:
        'In general each layer adds (k − 1) times the product of all strides before it. The gradient takes the same way back: dx shows what each pixel does to the output.',
    },
  ],
};

const HALF = 'conv;kh:1;kw:1;weights:constant:0.5';
const TWICE = 'conv;kh:1;kw:1;weights:constant:2';
const DEEP = `h=4&kh=1&x=ramp&weights=constant:0.5&layer.2=${HALF}&layer.3=${HALF}&layer.4=${HALF}&dy=ones&mode=network`;

export const vanishing: Lesson = {
  id: 'vanishing',
  title: 'Gradients that vanish',
  sentence: 'Each layer multiplies the gradient: through many layers it becomes tiny or huge.',
  minutes: 7,
  gradients: ['dx', 'dw', 'dy'],
  steps: [
    {
      title: 'Half, and half again',
      link: `${DEEP}&network.cell=dx.0`,
      words: [
        'Four layers, each with a single weight of 0.5. Forward, each halves its input. Backward, each halves the gradient: dy4 is 1 everywhere, dy3 is 0.5, dy2 is 0.25 and dy1 is 0.125.',
      ],
      task: 'What is `dx[0,0]`, after the last halving?',
      asks: 'dx.0',
      hides: 'dx',
      outcome: '`dx[0,0] = 0.125·0.5 = 0.0625`, a sixteenth of the gradient at the end. It *vanishes* layer by layer.',
      notes:
        'Four layers are few: networks have 20 to 200. The numbers in each panel are colored by its own largest value.',
    },
    {
      title: 'Ten layers',
      link: `${DEEP}&network.cell=dx.0`,
      words: [
        'The factor of each layer is the same, so the product falls very fast. After four layers it is 1/16, after five it is 1/32.',
      ],
      task: 'After how many layers is it less than a thousandth for the first time?',
      asks: { count: 'layers', is: 10 },
      hint: 'Halve until the denominator is above 1000.',
      outcome: 'Ten: 1/1024. After twenty layers it is about one millionth.',
      notes: 'With a factor of 0.9 a thousandth takes 66 layers. What matters is the distance from 1.',
    },
    {
      title: 'The first layers learn slowest',
      link: `${DEEP}&network.cell=dy1.0`,
      words: [
        'Training changes each weight by the learning rate times its dw, and dw is a sum of inputs times dy. Where dy is tiny, steps are tiny.',
      ],
      task: 'Suppose that all inputs have the same size. Which layer learns slowest?',
      asks: { options: ['Layer 1', 'Layer 4', 'All learn equally fast'], right: 0 },
      hint: 'Compare the cells of dy1 and dy4.',
      outcome:
        'Layer 1: its dy is an eighth of that of layer 4. The layers that see the image first, and that all others build on, hardly change.',
      notes: 'A larger learning rate does not help: it is then too large for the last layers.',
    },
    {
      title: 'The other way: exploding',
      link: `${DEEP}&network.cell=dx.0`,
      words: [
        'Now imagine weights above 1. Each layer makes the gradient larger, and through many layers it *explodes*. One step of training then ruins everything.',
      ],
      task: 'With weights of 2 in all four layers, what is dx[0,0]? The right answer sets them.',
      asks: { count: 'dx[0,0]', is: 16 },
      hint: 'Each layer doubles. Begin with dy4.',
      goal: ({ problem }) => openOf(problem).w.data[0] === 2,
      solution: `weights=constant:2&layer.2=${TWICE}&layer.3=${TWICE}&layer.4=${TWICE}`,
      points: [],
      outcome: 'Sixteen: the factor is 2 · 2 · 2 · 2. With ten layers it would be 1024.',
      notes: 'Clipping the gradient to a largest norm prevents the worst, but not the cause.',
    },
    {
      title: 'A start that keeps the size',
      link: `${DEEP}&network.cell=dx.0`,
      words: [
        'Weights begin as random numbers around 0. With a kernel of 3 × 3, a cell of dx sums nine products of random sign. Such a sum is about √9 = 3 times as large as one product.',
      ],
      task: 'About how large should the weights be, so that gradients keep their size?',
      asks: { options: ['1', '1/3', '1/9'], right: 1 },
      hint: 'Three times the size of a weight should be 1.',
      outcome:
        'About 1/3: one divided by the root of the number of products. With c channels it is 1/√(9c), and behind a ReLU, which closes half of the gates, √2 times as much.',
      notes: 'Those are the initializations of Xavier Glorot (2010) and Kaiming He (2015), and what frameworks use.',
    },
  ],
};
