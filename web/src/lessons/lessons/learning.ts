import type { Lesson } from '../lesson';

const RANDOM = 'h=8&kh=3&x=random:3&weights=constant:0&dy=mse:0&mode=learn&learn.task=blur';

export const lesson: Lesson = {
  place: 17,
  title: 'A kernel that learns',
  sentence: 'What dw is for: follow it downhill, step by step, until w makes what is wanted.',
  steps: [
    {
      title: 'Guess, and see how wrong it is',
      link: `${RANDOM}&learn.rate=0.1`,
      words: [
        'Somebody blurred x, and shows only what came out: the *target*. With which kernel? We begin with a w of zeros, so y is 0 everywhere, and the loss L says how far that is from the target.',
        'dw says how L changes with each weight. So move every weight a little against its dw, and L becomes smaller. That is *gradient descent*; how far to move is the *rate*.',
      ],
      formula: 'w ← w − rate · dw',
      task: {
        words: 'Go four steps forward with the player, and watch y and the target.',
        goal: { kind: 'view', mode: 'learn', chosen: { t: 4 } },
        solution: 'learn.t=4',
        seen: 'With each step L became smaller, y more like the target, and dw smaller: near the lowest point there is less slope. Each step runs forward, takes the loss, and runs backward.',
      },
      points: ['player'],
      notes:
        'Nothing here knows the kernel but the program that made the target. Let the class guess from the first dw which weight will become the largest: the one whose dw is most negative.',
    },
    {
      title: 'Where the weights go',
      link: `${RANDOM}&learn.rate=0.1&learn.t=60`,
      words: [
        'After 60 steps w is nearly the kernel that made the target. Nobody told it the weights: it saw x, the target, and its own error.',
        'A network learns in exactly this way, with millions of weights at once and many pictures.',
      ],
      task: {
        words: 'Above the curve choose “weights”, to see the way of each of the nine.',
        goal: { kind: 'view', mode: 'learn', chosen: { plot: 'weights' } },
        solution: 'learn.plot=weights',
        seen: 'Nine lines start at 0 and end at the dashes: the weights that were looked for. The corners are a quarter of the middle, as in every such blur.',
      },
      points: ['panel:w'],
      notes:
        'Drag the player back and forth: every step is computed again, from the same beginning with the same bits.',
    },
    {
      title: 'Too far is worse than not far enough',
      link: `${RANDOM}&learn.rate=0.1&learn.t=30`,
      words: [
        'With a larger rate one needs fewer steps, up to a point. L is a bowl: whoever steps too far across it lands higher on the other side, and the next step is larger still.',
        'How far is too far depends on how steep the bowl is at its steepest, the *curvature* λ (lambda), which the page computes: the rate must stay below 2 / λ = 0.233. That number stands beside the rate.',
      ],
      formula: 'rate < 2 / λ',
      task: {
        words: 'Make the rate larger than that: 0.3 or more.',
        goal: { kind: 'view', mode: 'learn', chosen: { rate: 0.3 } },
        solution: 'learn.rate=0.3',
        seen: 'The curve goes up and up: learning *diverges*. In the steepest direction each step multiplies the error by 1 − rate · λ = −1.58, so it changes its sign and grows.',
      },
      notes:
        'In that direction the error e becomes (1 − rate · λ) e. At 2 / λ the factor is −1: it neither shrinks nor grows. λ is the largest eigenvalue of the matrix of second derivatives, found by power iteration: forward, backward, divide by the length, again.',
    },
    {
      title: 'What cannot be learnt',
      link: `${RANDOM}&learn.rate=0.1&learn.t=60`,
      words: [
        'Real targets are measured, and measured numbers are a little off. Such *noise* is not made by any kernel, so none can learn it.',
        'L then does not fall to 0, and w does not become exactly the kernel: it fits a bit of the noise, too.',
      ],
      task: {
        words: 'Choose the noise 0.3: to each cell of the target a random number from −0.3 to 0.3 is added.',
        goal: { kind: 'view', mode: 'learn', chosen: { noise: 0.3 } },
        solution: 'learn.noise=0.3',
        seen: 'The curve bends and stays: what is left of L is the noise. More pictures would help, since the noise of each is another one.',
      },
      notes:
        'The noise is one of nine numbers, evenly from −a to a: their mean square is 0.42 a², and half of it is 0.019 here. The nine weights fit about a quarter of that, since y has 36 cells. Compare with what is left.',
    },
  ],
};
