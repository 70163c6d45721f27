import { gridOf } from '../../geometry/grid';
import type { Geometry } from '../../protocol/problem';

type Kernel = readonly (readonly number[])[];

export interface Task {
  /** Its name in links. */
  readonly id: string;
  readonly title: string;
  /** The task in one or two sentences. */
  readonly sentence: string;
  /** The problem as a link: x, and the initial w. */
  readonly link: string;
  /** The weights that give the target, row by row: the solution. Missing: a network, with the target in its link. */
  readonly kernel?: Kernel;
  readonly rate: number;
  /** Learning rate for x. Larger: the loss is a mean over y, so the gradient of each cell of x is far smaller. */
  readonly rateOfX?: number;
  /** Of a network: multiplies the weights of the link. */
  readonly scale?: number;
  /** The loss falls below `loss` within `steps` steps. */
  readonly goal: { readonly loss: number; readonly steps: number };
}

/** w starts at 0; the loss is the squared error to 0. */
const CHART = 'h=24&kh=3&padding=same&x=sample:test_chart&weights=constant:0&dy=mse:0';

/** x of the networks. */
const NETWORK = 'h=12&x=sample:test_chart';

// cspell:ignore QAAAAAB
/** Sobel from left to right on that x, then the blur below: 8 × 8 values, as in links. */
const BLURRED_EDGES =
  '1UqZv2hLn79NLR--lXh6Py9Chj8VcK2-sJpCv0JWez_PfaC_5A82veQEij8mpiE_1bgQvnRKLb8mZqm-pmmMP5-8Nb_J1H0_djDVP_irAT7pa3q_4owwvzFogL3yjmE_1y8av135RD8BRZA_Ho9Wvj4KSb_07rq-etokvQVyGD_icGC_QrJgPRxezz7d70q9nDZKvsSua75RrRK-34uePhaHKL8p6OK9Gg9KPqCboD74J6Y8O3-6vnapJb7q6lM-9-IiPqdrUz5arlU-NGHBPn35KT1Lq4e-a5TtPRP4AD_H0F4_vWYMPz7EdT77F5Q-qe4nPhalWD07nOY-CJhaPw';

/** |Sobel| on that x: 10 × 10 values. */
const EDGES =
  'AAAAALcGXj8KhSZAtwbeP7cG3j8KhSZAAAAAAAqFJkC3Bl4_CoUmQAAAAAB9XN8_CoUmQJjiKjy3Bl4_CoUmQEizET8KhSZALnATQAqFJkBCsmA_z9onQJg9UDyxhShAAGwVO8A4jzuGCpM__GpXP63L-D8TSNs_jGfgP0KyYD-uR-E_nddgQCRXvz5AgxBAysoNP1RxIz3-yRU_qusSQP7xXj-uR2E_rkdhP2fQKEBH680_X1OEP2dskz2obkI-_VWUPnQyBkD-8V4_-PzgPwAAAABCsmA_6SadPxHXcT_jBhM_GMWUPd4oJD6qkGE_jGfgP9YcYD8AAAAAAGyVO9YkYz9gUKI-ACagP_TqCj5MkDM-qp7ZPkKyYD8jnF4_AAAAAABsFTtCsmA_lNuMPotuIT8wVKw9yFY-PxCNQz4lSRI-gEwBQCVJEj4kSRI-JUmSPiVJkj4kSRI-JEkSPoBMAUAkSRI-gL4OP-X02j9lxt0-ZMbdPnakdD52pHQ-oFxXPqBcVz6wxrI_Xoh5Pg';

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
  {
    id: 'two',
    title: 'two 3 × 3',
    sentence:
      'The target is a blurred edge image. One 5 × 5 kernel gives it: the blur of Sobel. Can two 3 × 3 kernels, one after the other, learn it?',
    link: `${NETWORK}&layer.1=conv;kh:3;weights:random:4&kh=3&weights=random:11&dy=mse~f32.${BLURRED_EDGES}`,
    rate: 0.05,
    scale: 0.1,
    goal: { loss: 0.001, steps: 820 },
  },
  {
    id: 'edges',
    title: 'ReLU edges',
    sentence:
      'The target is |Sobel|: how strong an edge is, not its sign. Two kernels, ReLU and a sum give it. No network without ReLU can: remove it and learn again.',
    link: `${NETWORK}&layer.1=conv;kh:3;k:2;weights:random:3&layer.2=relu&kh=1&weights=random:10&dy=mse~f32.${EDGES}`,
    rate: 0.2,
    scale: 0.1,
    goal: { loss: 0.001, steps: 220 },
  },
];

/** Blurs the x of the current problem, in place of a target of its own. It has no link: it replaces nothing. */
export const YOUR_X: Omit<Task, 'link' | 'goal'> & { readonly kernel: Kernel } = {
  id: 'your-x',
  title: 'blur your x',
  sentence: 'The target is your x, blurred. w starts at 0. Which kernel blurs x?',
  kernel: BLUR,
  rate: 0.1,
  rateOfX: 0.1,
};

/** The link that opens a task: its problem and the Learn view. */
export const taskLink = ({ link, id }: Task): string => `${link}&mode=learn&learn.task=${id}`;

/** Weights with the kernel of a task in the middle of filter k, on channel k modulo the channels. */
export function teacherOf(g: Geometry, kernel: Kernel): Float32Array {
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
