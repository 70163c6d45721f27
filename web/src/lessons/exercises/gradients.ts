import type { ExerciseSet } from '../exercise';

export const exercise: ExerciseSet = {
  place: 2,
  title: 'Gradients: dw and dx',
  sentence: 'What each weight and each cell of x hears from dy, in whole numbers.',
  words:
    'One number of a gradient is hidden. Ask which windows its weight, or its cell of x, had a part in; each of them brings a product with its cell of dy, and the products are added.',
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
