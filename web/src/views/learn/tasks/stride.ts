import { CHART, type Task } from '../task';

export const task: Task = {
  order: 4,
  title: 'stride 2',
  sentence: 'The target is every second cell of every second row of the image: the identity with stride 2.',
  link: `${CHART.replace('padding=same', 'padding=1')}&stride=2`,
  kernel: [
    [0, 0, 0],
    [0, 1, 0],
    [0, 0, 0],
  ],
  rate: 0.5,
  rateOfX: 100,
  goal: { loss: 0.0001, steps: 60 },
};
