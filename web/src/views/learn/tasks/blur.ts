import { CHART, type Task } from '../task';

export const task: Task = {
  order: 1,
  title: 'blur',
  sentence: 'The target is the blurred image. Which kernel blurs it?',
  link: CHART,
  kernel: [
    [0.0625, 0.125, 0.0625],
    [0.125, 0.25, 0.125],
    [0.0625, 0.125, 0.0625],
  ],
  rate: 0.5,
  rateOfX: 500,
  goal: { loss: 0.0001, steps: 25 },
};
