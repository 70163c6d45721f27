import type { Lesson } from '../lesson';

const TWO = 'h=5&kh=3&stride=2&x=ramp&weights=countdown:9&dy=values:1.2.2.1~i8.AQIDBA';

export const lesson: Lesson = {
  order: 9,
  title: 'Stride: inserted zeros, four phases, the checkerboard',
  sentence: 'What a stride does to dx, and why gradients of strided layers look like a checkerboard.',
  steps: [
    {
      title: 'Stamps two cells apart',
      link: `${TWO}&mode=dx&dx.way=scatter&dx.t=1`,
      words: [
        'With stride 2 the windows are two cells apart, and so are their stamps in dx. The kernel of 3 is larger than the stride of 2. So the stamps still overlap: in one row and one column.',
      ],
      task: {
        words: 'Do all four stamps, and watch where they overlap.',
        goal: { kind: 'view', mode: 'dx', chosen: { way: 'scatter', t: 4 } },
        solution: 'dx.t=4',
        outcome:
          'All four overlap only in the middle: `dx[2,2] = 1·1 + 2·3 + 3·7 + 4·9 = 64`. The cell diagonally next to it is read once: `dx[1,1] = 1·5 = 5`.',
        claims: [{ tensor: 'dx', at: [2, 2], value: 64 }],
      },
      points: ['player'],
      notes: 'Compare with the lesson on scatter, where the stride was 1 and nearly every cell had several stamps.',
    },
    {
      title: 'Inserted zeros',
      link: `${TWO}&mode=dx&dx.stage=dy`,
      words: [
        'Now compute dx as a convolution with the flipped w. The kernel moves over dx cell by cell, but dy has a value only for every second cell. So insert zeros between the cells of dy, for the positions that the stride skipped.',
        'This is also called *fractional stride*, *upsampling* dy, or dilating dy.',
      ],
      task: {
        words: 'Choose “2 zeros between”.',
        goal: { kind: 'view', mode: 'dx', chosen: { stage: 'zeros' } },
        solution: 'dx.stage=zeros',
        outcome:
          'dy was 2 × 2 and is 3 × 3 now: 1, 0, 2 in its first row. Then it is padded as before, and the flipped w slides over it.',
        claims: [{ tensor: 'dy', size: [2, 2] }],
      },
      points: ['option:zeros'],
      notes:
        'Forgetting these zeros is the second most common mistake, after the flip. Then dx is too small, and frameworks report a shape error: an easy mistake to find.',
    },
    {
      title: 'Four phases',
      link: `${TWO}&mode=dx&dx.stage=slide`,
      words: [
        'Five of the nine cells of the upsampled dy are zeros. In a large dy three of four are: most products are with 0. Only the parity of row and column in dx decides which weights meet a value of dy.',
        'That makes four groups of cells, called *phases*, each with its own few weights. Each is a small convolution without zeros.',
      ],
      task: {
        words: 'Choose “phase split”.',
        goal: { kind: 'view', mode: 'dx', chosen: { way: 'phase_split' } },
        solution: 'dx.way=phase_split',
        outcome:
          'Even row and column: the four corners of w, 9, 7, 3 and 1. Odd row and column: only the 5 in the middle, so `dx[3,3] = 4·5 = 20`. Fast libraries compute it this way.',
        claims: [{ tensor: 'dx', at: [3, 3], value: 20 }],
      },
      points: ['option:phase_split'],
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
      task: {
        words: 'Remove it: change the kernel so that the stride divides it.',
        goal: { kind: 'sizes', are: { kh: 2, kw: 2 } },
        solution: 'kh=2&kw=2',
        outcome:
          'With a kernel of 2 every cell is read exactly once: `dx[2,2] = 1`, and so is every other. With a kernel of 4, all cells away from the edge would be read equally often.',
        claims: [{ reads: [5, 5], count: 1 }],
      },
      points: ['field:kh'],
      claims: [
        { reads: [2, 2], count: 4 },
        { reads: [2, 3], count: 2 },
        { reads: [3, 3], count: 1 },
      ],
      notes:
        'Odena, Dumoulin and Olah, “Deconvolution and Checkerboard Artifacts” (Distill, 2016), is the standard text. The next lesson explains the hatched row and column at the end.',
    },
  ],
};
