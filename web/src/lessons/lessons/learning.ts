import type { Lesson } from '../lesson';

const RANDOM = 'h=8&kh=3&x=random:3&weights=constant:0&dy=mse:0&mode=learn&learn.task=blur';

export const lesson: Lesson = {
  order: 17,
  title: 'A kernel that learns',
  sentence: 'What dw is for: follow it downhill, step by step, until y matches the target.',
  steps: [
    {
      title: 'Guess, and measure the error',
      link: `${RANDOM}&learn.rate=0.1`,
      words: [
        'The *target* is a blurred x. Which kernel blurred it? We begin with a w of zeros, so y is 0 everywhere. The loss L says how far y is from the target.',
        'dw says how L changes with each weight. So move every weight a little against its dw, and L becomes smaller. That is *gradient descent*; the *learning rate* says how far to move.',
      ],
      formula: 'w ← w − rate · dw',
      task: {
        words: 'Go four steps forward with the player, and watch y and the target.',
        goal: { kind: 'view', mode: 'learn', chosen: { t: 4 } },
        solution: 'learn.t=4',
        outcome:
          'With each step L becomes smaller, y closer to the target, and dw smaller. Near the minimum the slope is smaller. Each step runs forward, computes the loss, and runs backward.',
      },
      points: ['player'],
      notes:
        'The training sees only x and the target, never the kernel. Let the class guess from the first dw which weight will become the largest. It is the weight with the most negative dw.',
    },
    {
      title: 'How the weights change',
      link: `${RANDOM}&learn.rate=0.1&learn.t=60`,
      words: [
        'After 60 steps w is nearly the kernel that produced the target. It was computed from x, the target and the error alone.',
        'A network learns in exactly this way, with millions of weights at once and many images.',
      ],
      task: {
        words: 'Above the curve choose “weights”, to see how each of the nine changes.',
        goal: { kind: 'view', mode: 'learn', chosen: { plot: 'weights' } },
        solution: 'learn.plot=weights',
        outcome:
          'Nine lines start at 0 and end at the dashes: the weights of the blur. The corners are a quarter of the middle, as in every such blur.',
      },
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
      task: {
        words: 'Set the learning rate above that limit: 0.3 or more.',
        goal: { kind: 'view', mode: 'learn', chosen: { rate: 0.3 } },
        solution: 'learn.rate=0.3',
        outcome:
          'The curve rises without limit: learning *diverges*. In the steepest direction each step multiplies the error by 1 − rate · λ = −1.58. So the error changes its sign and grows.',
      },
      notes:
        'In that direction the error e becomes (1 − rate · λ) e. At 2 / λ the factor is −1: the error neither shrinks nor grows. λ is the largest eigenvalue of the matrix of second derivatives. The page finds it by power iteration: forward, backward, divide by the length, repeat.',
    },
    {
      title: 'What cannot be learned',
      link: `${RANDOM}&learn.rate=0.1&learn.t=60`,
      words: [
        'Real targets are measured, and measurements are a little wrong. No kernel can reproduce such *noise* exactly.',
        'Then L does not fall to 0. w does not become exactly the kernel: the nine weights fit a little of the noise.',
      ],
      task: {
        words: 'Choose the noise 0.3: it adds a random number from −0.3 to 0.3 to each cell of the target.',
        goal: { kind: 'view', mode: 'learn', chosen: { noise: 0.3 } },
        solution: 'learn.noise=0.3',
        outcome:
          'The curve flattens above 0: the rest of L is the noise. More images would help, because the noise of each is different.',
      },
      notes:
        'The noise takes one of nine values, evenly from −a to a. Their mean square is 0.42 a², and half of it is 0.019 here. The nine weights fit about a quarter of that, since y has 36 cells. Compare with the loss that remains.',
    },
  ],
};
