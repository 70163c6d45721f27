import type { ExerciseSet } from '../exercise';

export const exercise: ExerciseSet = {
  order: 1,
  title: 'Forward sums',
  sentence: 'Compute single values of y: find the window, multiply it by w cell by cell, and add.',
  words:
    'One value of y is hidden. Multiply its window on x by w, cell by cell, and add over all channels. Add the bias if there is one.',
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
