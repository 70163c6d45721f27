import type { ExerciseSet } from '../exercise';

export const exercise: ExerciseSet = {
  order: 3,
  title: 'Strides, padding, dilation, groups',
  sentence: 'The same sums with stride, padding, dilation and groups.',
  words:
    'One value is hidden. Look at the controls first. Where is the window, which of its cells are padding, and which channels does it read?',
  seed: 5,
  questions: 8,
  asks: ['y', 'dx', 'y', 'dw'],
  varies: {
    h: ['4', '5'],
    w: ['5', '6'],
    kh: ['2'],
    kw: ['2', '3'],
    c: ['1', '2', '2'],
    k: ['1', '2', '2'],
    groups: ['1', '2'],
    stride: ['1', '2', '1x2'],
    dilation: ['1', '1', '2', '1x2'],
    padding: ['0', '1', 'same', '1,0,2,0'],
    x: ['random'],
    weights: ['random'],
    dy: ['random'],
  },
};
