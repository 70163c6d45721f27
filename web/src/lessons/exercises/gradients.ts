import type { ExerciseSet } from '../exercise';

export const exercise: ExerciseSet = {
  order: 2,
  title: 'Gradients: dw and dx',
  sentence: 'Compute single values of dw, db and dx. Whole numbers only.',
  words:
    'One value of a gradient is hidden. Find every window that uses this weight (or cell of x). Each contributes one product with its cell of dy. Add them.',
  seed: 23,
  questions: 8,
  asks: ['dw', 'dx', 'dw', 'db'],
  varies: {
    h: ['3', '4'],
    w: ['3', '4'],
    kh: ['2'],
    kw: ['2', '3'],
    n: ['1', '1', '2'],
    stride: ['1', '1', '2'],
    padding: ['0', '1'],
    x: ['random'],
    weights: ['random'],
    dy: ['random'],
  },
};
