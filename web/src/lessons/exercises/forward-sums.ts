import type { ExerciseSet } from '../exercise';

export const exercise: ExerciseSet = {
  place: 1,
  title: 'Forward sums',
  sentence: 'One number of y at a time: find its window, multiply cell by cell with w, and add.',
  words:
    'One number of y is hidden. It is the sum of the products of its window on x with w, over all channels, plus the bias where there is one.',
  seed: 11,
  questions: 6,
  asks: ['y'],
  varies: {
    h: ['3', '4'],
    w: ['4', '5'],
    kh: ['2'],
    kw: ['2', '3'],
    c: ['1', '1', '2'],
    k: ['1', '1', '2'],
    padding: ['0', '0', '1'],
    x: ['random'],
    weights: ['random'],
    bias: ['', '', 'random'],
  },
};
