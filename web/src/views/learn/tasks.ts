import { gridOf } from '../../geometry/grid';
import type { Geometry } from '../../protocol/problem';

/** A learning task. */
export interface Task {
  /** Its name in links. */
  readonly id: string;
  readonly title: string;
  /** The task in one or two sentences. */
  readonly sentence: string;
  /** The problem as a link: x, and the initial w. */
  readonly link: string;
  /** The weights that give the target, row by row: the solution. */
  readonly kernel: readonly (readonly number[])[];
  readonly rate: number;
  /** Learning rate for x. Larger: the loss is a mean over y, so the gradient of each cell of x is far smaller. */
  readonly rateOfX: number;
  /** The loss falls below `loss` within `steps` steps. */
  readonly goal: { readonly loss: number; readonly steps: number };
}

/** w starts at 0; the loss is the squared error to 0. */
const CHART = 'h=24&kh=3&padding=same&x=sample:test_chart&weights=constant:0&dy=mse:0';

const BLUR = [
  [0.0625, 0.125, 0.0625],
  [0.125, 0.25, 0.125],
  [0.0625, 0.125, 0.0625],
] as const;

/** THE LIST of tasks, in the order of the menu. */
export const TASKS: readonly Task[] = [
  {
    id: 'blur',
    title: 'blur',
    sentence: 'The target is the blurred image. Which kernel blurs it?',
    link: CHART,
    kernel: BLUR,
    rate: 0.5,
    rateOfX: 500,
    goal: { loss: 0.0001, steps: 25 },
  },
  {
    id: 'sobel',
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
  },
  {
    id: 'shift',
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
  },
  {
    id: 'stride',
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
  },
];

/** Blurs the x of the current problem, in place of a target of its own. It has no link: it replaces nothing. */
export const YOUR_X: Omit<Task, 'link' | 'goal'> = {
  id: 'your-x',
  title: 'blur your x',
  sentence: 'The target is your x, blurred. w starts at 0. Which kernel blurs x?',
  kernel: BLUR,
  rate: 0.1,
  rateOfX: 0.1,
};

/** The link that opens a task: its problem and the Learn view. */
export const linkOf = ({ link, id }: Task): string => `${link}&mode=learn&learn.task=${id}`;

/** Weights with the task's kernel in the middle of filter k, on channel k modulo the channels. */
export function teacherOf(g: Geometry, { kernel }: Pick<Task, 'kernel'>): Float32Array {
  const { stride, size, cells } = gridOf(g, 'w');
  const weights = new Float32Array(cells);
  const top = Math.floor((g.kh - kernel.length) / 2);
  const left = Math.floor((g.kw - (kernel[0]?.length ?? 0)) / 2);
  for (let filter = 0; filter < size.slice; filter += 1) {
    const start = filter * stride.slice + (filter % size.channel) * stride.channel;
    kernel.forEach((row, p) => {
      row.forEach((value, q) => {
        const [at, on] = [p + top, q + left];
        if (at < 0 || at >= g.kh || on < 0 || on >= g.kw) return;
        weights[start + at * stride.row + on * stride.col] = value;
      });
    });
  }
  return weights;
}
