import { CHART, type Task } from '../task';

export const task: Task = {
  order: 3,
  title: 'shift',
  sentence: 'The target is the image, moved up and to the left by one cell.',
  link: CHART,
  kernel: [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 1],
  ],
  rate: 0.5,
  rateOfX: 500,
  goal: { loss: 0.0001, steps: 70 },
};
