import { CHART, type Task } from '../task';

export const task: Task = {
  order: 2,
  title: 'Sobel',
  sentence: 'The target shows where the image gets brighter from left to right: an edge filter.',
  link: CHART,
  kernel: [
    [-1, 0, 1],
    [-2, 0, 2],
    [-1, 0, 1],
  ],
  rate: 0.5,
  rateOfX: 8,
  goal: { loss: 0.0001, steps: 90 },
};
