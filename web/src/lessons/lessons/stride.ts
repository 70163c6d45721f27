import type { Lesson } from '../lesson';

const TWO = 'h=5&kh=3&stride=2&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';

export const lesson: Lesson = {
  place: 9,
  title: 'Stride: zeros between, four phases, the checkerboard',
  sentence: 'What a stride does to dx, and why gradients of strided layers look like a chessboard.',
  steps: [
    {
      title: 'Stamps two cells apart',
      link: `${TWO}&mode=steps&steps.process=dx_scatter&steps.t=1`,
      words: [
        'With stride 2 the windows are two cells apart, and so are their stamps in dx. A kernel of 3 is larger than the stride of 2, so the stamps still overlap: in one row and one column.',
      ],
      task: {
        words: 'Do all four stamps, and see where they meet.',
        goal: { kind: 'view', mode: 'steps', chosen: { process: 'dx_scatter', t: 4 } },
        solution: 'steps.t=4',
        seen: 'All four meet only in the middle: `dx[2,2] = 1·1 + 2·3 + 3·7 + 4·9 = 64`. The cell beside it is read once: `dx[1,1] = 1·5 = 5`.',
        claims: [{ tensor: 'dx', at: [2, 2], value: 64 }],
      },
      points: ['player'],
      notes: 'Compare with the lesson on scatter, where the stride was 1 and nearly every cell had several stamps.',
    },
    {
      title: 'Zeros between',
      link: `${TWO}&mode=dx&dx.stage=dy`,
      words: [
        'As a convolution with the turned w: the kernel must move by single cells over dx, but dy has a value only for every second one. So the places that the stride jumped over are put back, as zeros between the cells of dy.',
        'This is often called *fractional stride*, or dilating dy.',
      ],
      task: {
        words: 'Choose the stage “2 zeros between”.',
        goal: { kind: 'view', mode: 'dx', chosen: { stage: 'zeros' } },
        solution: 'dx.stage=zeros',
        seen: 'dy was 2 × 2 and is 3 × 3 now: 1, 0, 2 in its first row. Then it is padded as before, and the turned w slides over it.',
        claims: [{ tensor: 'dy', size: [2, 2] }],
      },
      points: ['option:zeros'],
      notes:
        'Forgetting these zeros is mistake number two, after the turn. Then dx comes out too small, and frameworks complain of the shape; that is the lucky case.',
    },
    {
      title: 'Four phases',
      link: `${TWO}&mode=dx&dx.stage=slide`,
      words: [
        'Of the nine cells of the spread dy five are zeros, in a large one three of four: most products are with 0. But which weights meet a real dy depends only on whether row and column of dx are even or odd.',
        'That makes four groups of cells, called *phases*, each with its own few weights: a small convolution without zeros for each.',
      ],
      task: {
        words: 'Choose the way “phase split”.',
        goal: { kind: 'view', mode: 'dx', chosen: { way: 'phase_split' } },
        solution: 'dx.way=phase_split',
        seen: 'Even row and column: the four corners of w, 9, 7, 3 and 1. Odd row and column: only the 5 in the middle, so `dx[3,3] = 4·5 = 20`. Fast libraries compute it this way.',
        claims: [{ tensor: 'dx', at: [3, 3], value: 20 }],
      },
      points: ['option:phase_split'],
      notes:
        'The other two phases have two weights each: 8 and 2 (even row, odd column), 6 and 4 (odd row, even column). 4 + 2 + 2 + 1 = 9, every weight once.',
    },
    {
      title: 'The checkerboard',
      link: 'h=8&kh=3&stride=2&x=ones&weights=ones&dy=ones&cell=dx.18',
      words: [
        'Now x, w and dy are all 1, so dx just counts how many windows read each cell: `dx[2,2] = 4`, but `dx[2,3] = 2` and `dx[3,3] = 1`. Nothing in the data explains this pattern; the stride does.',
        'A kernel of 3 cannot be divided evenly among steps of 2. Pictures made by such layers show it as a *checkerboard*.',
      ],
      task: {
        words: 'Make it vanish: change the kernel so that the stride divides it.',
        goal: { kind: 'sizes', are: { kh: 2, kw: 2 } },
        solution: 'kh=2&kw=2',
        seen: 'With a kernel of 2 every cell is read exactly once: `dx[2,2] = 1`, and so is every other. With 4 every cell but those at the edge would be read the same number of times.',
        claims: [{ reads: [5, 5], count: 1 }],
      },
      points: ['field:kh'],
      claims: [
        { reads: [2, 2], count: 4 },
        { reads: [2, 3], count: 2 },
        { reads: [3, 3], count: 1 },
      ],
      notes:
        'Odena, Dumoulin and Olah, “Deconvolution and Checkerboard Artifacts” (Distill, 2016), is the classic on this. The hatched row and column at the end are the next lesson.',
    },
  ],
};
