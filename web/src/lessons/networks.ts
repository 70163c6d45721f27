import { openOf } from '../state/problem';
import type { Lesson } from './lesson';

/** Lessons on networks: one image and channel, and small tensors. */

const CHAIN =
  'h=4&kh=2&x=ramp&weights=countdown:4&layer.2=conv;kh:2;kw:2;weights:ramp:1&dy=values:1.2.2.1~i8.AQIDBA&mode=network';
const SECOND =
  'h=4&kh=2&x=ramp&weights=ramp:1&layer.1=conv;kh:2;kw:2;weights:countdown:4&dy=values:1.2.2.1~i8.AQIDBA&mode=dx&dx.way=gather&dx.t=9';

export const chainRule: Lesson = {
  id: 'chain-rule',
  title: 'The chain rule through two layers',
  sentence: 'The dy of a layer is the dx of the layer after it: only the last dy comes from the loss.',
  minutes: 8,
  gradients: ['dx', 'dw', 'dy'],
  steps: [
    {
      title: 'Two layers, two rows',
      link: CHAIN,
      words: [
        'In a *network* each layer reads the output of the layer before it. The top row goes forward: layer 1 makes y1 from x, and layer 2 makes y2 from y1.',
        'Below each tensor is its gradient: how the loss changes with each of its cells. This row goes backward. It begins at the right with dy2, which the loss gives.',
      ],
      task: 'Which part computes dy1, the gradient at the output of layer 1?',
      asks: { options: ['Layer 1', 'Layer 2', 'The loss'], right: 1 },
      later: 'dy1.4,dx.5',
      hint: 'Which of them reads y1?',
      solution: 'network.cell=dy1.1',
      outcome:
        'Layer 2 reads y1, so it computes dy1 from dy2. Its cell dy1[0,1] comes from two cells of dy2, which are framed.',
      notes: 'Point at cells of both rows. In the top row the sources are on the left, in the bottom row on the right.',
    },
    {
      title: 'The dx of layer 2 is the dy of layer 1',
      link: CHAIN,
      words: [
        'For layer 2 the tensor y1 is the input. Its gradient is the dx of the lessons on scatter and gather: each cell of dy2 times the weight that it used there.',
        'Layer 2 has the weights 1 and 2 in the first row, 3 and 4 in the second. The top cell in the middle has two windows: `dy1[0,1] = 1·2 + 2·1 = 4`.',
      ],
      formula: 'dy1[i,j] = Σ dy2[a,b] · w[i−a,j−b]',
      task: 'The middle cell of y1 is in all four windows. What is `dy1[1,1]`?',
      asks: 'dy1.4',
      later: 'dx.5',
      outcome:
        '`dy1[1,1] = 1·4 + 2·3 + 3·2 + 4·1 = 20`. Layer 1 takes these nine numbers as its dy. It does not know that a layer follows.',
      notes: 'The top left window uses the middle cell with its last weight, so the order of the weights is reversed.',
    },
    {
      title: 'Inside layer 2',
      link: SECOND,
      words: [
        'This page shows layer 2 alone, as in the lessons before. Its x is the output of layer 1, and its dy is given. All views work on such an *open layer*.',
        'Its dx is 3 × 3, like its x.',
      ],
      task: 'Which tensor of the network is this dx? The right answer goes back to the network.',
      asks: { options: ['dy2', 'dy1', 'The dx of the whole network'], right: 1 },
      later: 'dx.5',
      hint: 'The x of layer 2 is y1. Which gradient has its shape?',
      solution: 'mode=network&network.cell=dy1.4',
      outcome: 'The same nine numbers, 20 in the middle. Its title says both names: dy1, the dx of layer 2.',
      notes: 'Open a layer with the button on its card. The line above the views leads back to the network.',
    },
    {
      title: 'One layer further back',
      link: `${CHAIN}&network.cell=dx.5`,
      words: [
        'Now layer 1 has a dy and computes its own dx. It has the weights 4 and 3 in the first row, 2 and 1 in the second. The rule is the same as before.',
        'Four windows contain x[1,1]. Their cells of dy1 are 1, 4, 6 and 20, and the weights that they use there are 1, 2, 3 and 4.',
      ],
      task: 'What is `dx[1,1]`?',
      asks: 'dx.5',
      outcome:
        '`dx[1,1] = 1·1 + 4·2 + 6·3 + 20·4 = 107`: if x[1,1] grows by a little, the loss grows by 107 times as much, through all paths of both layers.',
      notes:
        'Each path from x[1,1] to y2 multiplies one weight of each layer and one cell of dy2. Backpropagation adds all paths without listing them.',
    },
    {
      title: 'What a weight waits for',
      link: `${CHAIN}&network.cell=dy1.4`,
      words: [
        'Training needs dw of both layers. The dw of layer 1 is a sum of x times dy1, as in the lesson on dw.',
        'So the order is fixed: forward from left to right, then backward from right to left. The network must keep each input until then.',
      ],
      task: 'What must be computed before the dw of layer 1?',
      asks: { options: ['The dw of layer 2', 'The dx of layer 2', 'The dx of layer 1'], right: 1 },
      hint: 'The dw of layer 1 needs x and dy1.',
      outcome:
        'The dx of layer 2, which is dy1. The first layer needs no dx of its own, unless you ask how the image changes the loss.',
      notes:
        'Memory: forward alone can forget y1 after layer 2. Backward needs it for the dw of layer 2. That is why training takes more memory than inference.',
    },
  ],
};

const GATES = 'h=3&kh=1&x=constant:0~i8.BP0C_wAF-gf-&weights=ones&layer.2=relu&mode=network';
const GATES_DY = `${GATES}&dy=values:1.3.3.1~i8.ChTiKDLERlCm`;

export const reluLayers: Lesson = {
  id: 'relu',
  title: 'ReLU: gates that open and close',
  sentence: 'ReLU keeps positive values, and only there does the gradient pass.',
  minutes: 7,
  gradients: ['dx', 'dy'],
  steps: [
    {
      title: 'A layer without weights',
      link: `${GATES}&dy=ones`,
      words: [
        '*ReLU* is a layer between two convolutions. It looks at each cell alone: a positive value stays, any other becomes 0. Without it, two convolutions would only be one larger convolution.',
        'Here layer 1 copies x, so that the numbers stay easy. Layer 2 is the ReLU. Hatched cells are *closed gates*.',
      ],
      formula: 'y = max(0, x)',
      task: 'How many gates are open, for the nine cells of y1?',
      asks: { count: 'open gates', is: 4 },
      hint: 'A gate is open if its cell of y1 is above 0. The 0 in the middle is not.',
      solution: 'network.cell=y2.5',
      outcome: 'Four: 4, 2, 5 and 7. The others become 0 in y2, and the 0 in the middle stays 0.',
      notes: 'ReLU: rectified linear unit. It has nothing to learn.',
    },
    {
      title: 'An open gate',
      link: GATES_DY,
      words: [
        'How does y2 change with y1? At an open gate y2 is y1, so the rate is 1: the gradient passes as it is. Its own sign does not matter.',
      ],
      formula: 'dy1 = dy2 where y1 > 0',
      task: '`y1[1,2]` is 5. What is `dy1[1,2]`?',
      asks: 'dy1.5',
      hides: 'dy1,dx',
      outcome:
        '`dy1[1,2] = −60`, as in dy2. A negative gradient passes like any other: the sign of y1 decides, not that of dy2.',
      notes:
        'A common mistake is to apply max(0, …) to the gradient. Ask for it with a wrong answer: the page recognizes it.',
    },
    {
      title: 'A closed gate',
      link: `${GATES_DY}&bias=constant:-3`,
      words: [
        'At a closed gate y2 stays the same if y1 changes a little. So the loss does not change, and nothing passes back.',
        'Layer 1 now has a bias that moves all of y1 down. `y1[0,2]` is negative, and its gate has closed.',
      ],
      task: 'dy2[0,2] is −30. What is `dy1[0,2]`?',
      asks: 'dy1.2',
      hides: 'dy1,dx',
      outcome:
        '`dy1[0,2] = 0`. Six gates are closed now, and their part of dy2 is lost. No layer before them receives it.',
      notes: 'The gate is decided in the forward pass. Backward needs y1 (or y2) again, so it must be kept.',
    },
    {
      title: 'Exactly at the corner',
      link: `${GATES_DY}&network.cell=y1.4`,
      words: [
        'The graph of ReLU has a corner at 0. On its left the slope is 0, on its right it is 1. At the corner itself there is no derivative.',
        'Programs must choose. `y1[1,1]` is exactly 0 here.',
      ],
      task: 'Look at dy1. What passes at y1 = 0 in this program, and in PyTorch?',
      asks: { options: ['All of dy2', 'Half of dy2', 'Nothing'], right: 2 },
      hint: 'Compare the middle cells of dy1 and dy2.',
      solution: 'network.cell=dy1.4',
      outcome:
        '`dy1[1,1] = 0`, although `dy2[1,1] = 50`. Real numbers are seldom exactly 0, so the choice matters little.',
      notes:
        'Any number from 0 to 1 would be a subgradient. A gradient check fails at such a corner, since it moves to both sides.',
    },
    {
      title: 'A dead ReLU',
      link: `${GATES_DY}&network.cell=y2.7`,
      words: [
        'Gates depend on the weights and the bias, and training changes both. One large step can push y1 far down.',
      ],
      task: 'With a bias of −9, how many cells of dx are not 0? The right answer sets it.',
      asks: { count: 'cells of dx that are not 0', is: 0 },
      hint: 'The largest cell of x is 7. How many gates are open then?',
      goal: ({ problem }) => openOf(problem).b?.data[0] === -9,
      solution: 'bias=constant:-9',
      points: [],
      outcome:
        'None: all gates are closed, so dw and db of layer 1 are 0, too. Training no longer changes them. Such a ReLU is called *dead*.',
      notes:
        'Remedies: smaller steps, a better start, or a leaky ReLU with a small slope on the left. A filter is dead only if it is closed for all images.',
    },
  ],
};

const POOL = 'h=4&kh=1&x=constant:0~i8.AQUCCAMFAAEHAAQDAgYJBA&weights=ones&mode=network';
const MAX = `${POOL}&layer.2=max_pool;kernel:2`;
const DY = 'dy=values:1.2.2.1~i8.DBQcJA';

export const poolingLayers: Lesson = {
  id: 'pooling',
  title: 'Pooling: where the gradient goes',
  sentence: 'Max pooling gives the gradient to one cell of each window, average pooling to all of them.',
  minutes: 8,
  gradients: ['dx', 'dy'],
  steps: [
    {
      title: 'The largest of each window',
      link: `${MAX}&dy=ones`,
      words: [
        '*Pooling* makes a tensor smaller. *Max pooling* moves a window like a convolution, but keeps only the largest cell of it. Here the window is 2 × 2 and the stride is 2, so windows do not overlap.',
        'Layer 1 copies x again. In y1 the winner of each window is outlined.',
      ],
      task: 'What is `y2[1,0]`, the largest cell of the bottom left window?',
      asks: 'y2.2',
      outcome: '`y2[1,0] = 7`. y2 has a quarter of the cells. Which cell won is remembered for the backward pass.',
      notes: 'Pooling works on each channel alone and has no weights.',
    },
    {
      title: 'The winner takes all',
      link: `${MAX}&dy=values:1.2.2.1~i8.Cw0REw`,
      words: [
        'If the winner grows a little, y2 grows as much. If another cell of the window grows a little, y2 stays the same. So the winner gets the whole gradient of its window, and the others get none.',
      ],
      task: '`y1[0,3]` is the largest of the top right window. What is `dy1[0,3]`?',
      asks: 'dy1.3',
      hides: 'dy1,dx',
      later: 'dy1.5',
      outcome: '`dy1[0,3] = 13`, and the other three cells of the window have 0. Max pooling *routes* the gradient.',
      notes: 'Compare with ReLU: both decide in the forward pass where the gradient may pass.',
    },
    {
      title: 'Two winners',
      link: `${MAX}&${DY}`,
      words: [
        'The top left window has its largest value twice, at y1[0,1] and at y1[1,1]. At such a tie y2 has no single slope, so a rule must choose. Here the first one wins, row by row, as in PyTorch.',
      ],
      task: 'dy2[0,0] is 12. By this rule, what is `dy1[1,1]`?',
      asks: 'dy1.5',
      hides: 'dy1,dx',
      outcome:
        '`dy1[1,1] = 0`, because the first of the two won: `dy1[0,1] = 12`. Other programs share it, 6 each. That is another rule, not a mistake.',
      notes:
        'Ties are common after a ReLU, where many cells are equal. A gradient check finds a corner there, with another slope on each side.',
    },
    {
      title: 'The mean of each window',
      link: `${POOL}&layer.2=average_pool;kernel:2&${DY}`,
      words: [
        '*Average pooling* keeps the mean of the window. Every cell counts for a quarter of it, so each gets a quarter of the gradient. No cell is left out.',
      ],
      task: 'dy2[0,1] is 20. What is `dy1[0,2]`, a cell of the top right window?',
      asks: 'dy1.2',
      hides: 'dy1,dx',
      outcome: '`dy1[0,2] = 20/4 = 5`, like the three others of its window. Their sum is 20 again: nothing is lost.',
      notes: 'It is a convolution with equal weights, one for each channel, and nothing to learn.',
    },
    {
      title: 'Overlapping windows',
      link: `${POOL}&layer.2=max_pool;kernel:2;stride:1&dy=values:1.3.3.1~i8.ChQeKDI8RlBa`,
      words: [
        'With stride 1 the windows overlap, and a cell can win several of them. Then it gets the sum of their gradients, as a cell of x does in a convolution.',
        'The cell y1[3,2] is in two windows of the last row: those of dy2[2,1] and dy2[2,2]. They have 80 and 90.',
      ],
      task: 'It is the largest of both. What is `dy1[3,2]`?',
      asks: 'dy1.14',
      hides: 'dy1,dx',
      outcome: '`dy1[3,2] = 80 + 90 = 170`. Cells that win nothing have 0, even where several windows read them.',
      notes: 'Modern networks often use a convolution with stride 2 in place of pooling. It learns what to keep.',
    },
  ],
};
