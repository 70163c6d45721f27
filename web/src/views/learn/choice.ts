import { gridOf } from '../../geometry/grid';
import type { ViewState } from '../../look/look';
import { isPerPosition } from '../../losses/list';
import type { LearnAsk, Learned } from '../../protocol/learn';
import type { Content } from '../../protocol/messages';
import type { Geometry } from '../../protocol/problem';
import type { QuestionOf } from '../../protocol/questions';
import { generated } from '../../sources/inputs';
import { formatCount, formatScientific } from '../../ui/quantities';
import type { Answers } from '../shared/answers';
import { useViewModel } from '../shared/view-model';

type Kernel = readonly (readonly number[])[];

export interface Task {
  /** Its name in links. */
  readonly id: string;
  readonly title: string;
  /** The task in one or two sentences. */
  readonly sentence: string;
  /** The problem as a link: x, and the initial w. */
  readonly link: string;
  /** All weights of one convolution that give the target, row by row: the solution. Missing: the target is in the link. */
  readonly kernel?: Kernel;
  readonly rate: number;
  /** Learning rate for x. Larger: the loss is a mean over y, so the gradient of each cell of x is far smaller. */
  readonly rateOfX?: number;
  /** Multiplies the weights of the problem; else they start as they are. */
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

/** It has no link: it replaces nothing. */
type OwnTask = Omit<Task, 'link' | 'goal'> & { readonly link?: undefined; readonly goal?: undefined };

/** Blurs the x of the current problem, in place of a target of its own. */
export const YOUR_X: OwnTask & { readonly kernel: Kernel } = {
  id: 'your-x',
  title: 'blur your x',
  sentence: 'The target is your x, blurred. w starts at 0. Which kernel blurs x?',
  kernel: BLUR,
  rate: 0.1,
  rateOfX: 0.1,
};

/** For any layers. */
export const OTHER_WEIGHTS: OwnTask = {
  id: 'other',
  title: 'other weights',
  sentence: 'The target is the y of your problem with other, random weights. Yours start small. Can they learn it?',
  rate: 0.05,
  scale: 0.1,
};

/** Multiplies other weights: random ones are whole numbers, with a y in the thousands after some layers. */
const OTHER_SCALE = 0.1;

/** Random weights for all convolutions, one after the other. With these seeds the first weight of each is above 0: some gates stay open. */
function otherWeights(layers: Learning['layers']): Float32Array {
  const all = layers.flatMap(({ tensors: { w }, geometry: { layout } }, i) =>
    w ? [...generated({ kind: 'random', seed: SEED + i }, 'weights', layout, w.shape).data] : [],
  );
  return Float32Array.from(all);
}
const SEED = 2233;

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

/** The task that is none: the target is that of the loss. */
export const OWN = 'own';

const PLOTS = ['log', 'linear', 'weights', 'norms'] as const;

/** What learns. */
type Learning = Pick<Content, 'geometry' | 'fixed' | 'loss' | 'layers'>;

/** The settings of the descent. */
export interface LearnChoice extends Pick<LearnAsk, 'learns' | 'rate' | 'batch' | 'noise' | 'steps'> {
  /** The task that gives the target; null: the target is that of the page's loss. */
  readonly task: Task | OwnTask | null;
  /** The weights of all layers start multiplied by it. */
  readonly scale: number;
  /** Length of the player, in steps. */
  readonly until: number;
  /** The loss on one of two scales, the weights, or the norms of dw of all layers. */
  readonly plot: (typeof PLOTS)[number];
  /** The panel below y. */
  readonly below: 'dy' | 'target';
}

export const LENGTHS = [100, 1000, 10_000] as const;
export const NOISES = [0, 0.01, 0.03, 0.1, 0.3, 1] as const;
const RATE = 0.1;
/** Limits the time that a link can request. */
const MOST_STEPS = 10_000;
const MOST_RATE = 1e6;
const MOST_NOISE = 100;
const MOST_SCALE = 100;

/** Multiples of the initial weights in the slider. */
export const SCALES = [0, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10];

const MANTISSAS = [1, 1.5, 2, 3, 4, 5, 6, 8];
// Parsed from text: 3e-5 is then the nearest double.
export const RATES: readonly number[] = [-6, -5, -4, -3, -2, -1, 0, 1, 2, 3].flatMap((exponent) =>
  MANTISSAS.map((mantissa) => Number(`${mantissa}e${exponent}`)),
);

/** The values of a slider or menu, including that of a link. */
export const valuesWith = (values: readonly number[], ...chosen: readonly number[]): readonly number[] =>
  [...new Set([...values, ...chosen])].sort((a, b) => a - b);

export const stepsText = (steps: number): string => (steps === 1 ? '1 step' : `${formatCount(steps)} steps`);

/** The largest rate of the slider that is at most half of the limit of convergence. */
export const safeRate = (largest: number): number => RATES.findLast((rate) => 2 * rate <= largest) ?? RATES[0] ?? 0;

const inside = (value: ViewState[string] | undefined, fallback: number, least: number, most: number) =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(least, Math.min(most, value)) : fallback;

/** Whether the layers can have the target of a task: a kernel is that of one convolution alone. */
const fits = ({ kernel }: Pick<Task, 'kernel'>, { length }: Learning['layers']): boolean => !kernel || length === 1;

/** The tasks for the problem as it is, the usual one first. */
export const ownTasksOf = (layers: Learning['layers']): readonly OwnTask[] =>
  [YOUR_X, OTHER_WEIGHTS].filter((task) => fits(task, layers));

/** x of the problem gives the target of other weights: only weights can learn that. */
export const canLearnX = (fixed: Learning['fixed'], task: LearnChoice['task']): boolean =>
  !fixed.x && task !== OTHER_WEIGHTS;

/** The loss of the problem is softmax with cross-entropy: learned without a task, in place of the squared error. */
export const isClassified = ({ loss }: Pick<Content, 'loss'>): boolean => loss !== null && isPerPosition(loss.kind);

/** The choice, limited to the current problem. Without a target in the loss of the problem, it opens on the usual task. */
export function learnChoice({ geometry: g, fixed, loss, layers }: Learning, state: ViewState): LearnChoice {
  const [usual = null] = ownTasksOf(layers);
  const found = [...TASKS, YOUR_X, OTHER_WEIGHTS].find((each) => each.id === state.task && fits(each, layers));
  const task = found ?? (state.task === OWN || loss?.target || isClassified({ loss }) ? null : usual);
  const learns = state.learns === 'x' && canLearnX(fixed, task) ? 'x' : 'w';
  const steps = Math.round(inside(state.t, 0, 0, MOST_STEPS));
  const wanted = inside(state.until, task?.goal?.steps ?? LENGTHS[0], 1, MOST_STEPS);
  return {
    task,
    scale: inside(state.scale, task?.scale ?? 1, 0, MOST_SCALE),
    learns,
    rate: inside(state.rate, (learns === 'x' ? task?.rateOfX : task?.rate) ?? RATE, 0, MOST_RATE),
    batch: Math.round(inside(state.batch, g.n, 1, Math.max(1, g.n))),
    noise: inside(state.noise, 0, 0, MOST_NOISE),
    steps,
    until: LENGTHS.find((length) => length >= Math.max(wanted, steps)) ?? MOST_STEPS,
    plot: plotsOf(learns).find((plot) => plot === state.plot) ?? 'log',
    below: state.below === 'dy' || fixed.dy ? 'dy' : 'target',
  };
}

/** x has neither weights nor a norm of dw. */
export const plotsOf = (learns: LearnChoice['learns']): readonly LearnChoice['plot'][] =>
  learns === 'w' ? PLOTS : ['log', 'linear'];

/** `learnChoice` for the problem of the view. */
export function useChoiceOf(): (state: ViewState) => LearnChoice {
  const content = useViewModel().content.value;
  return (state) => learnChoice(content, state);
}

/** y and the target are images in the range of x: the kernel of the task only moves and blurs. */
export const keepsRange = ({ task }: LearnChoice): boolean =>
  task?.kernel?.every((row) => row.every((weight) => weight >= 0)) ?? false;

/** The loss below which learning has converged; null for x: an x that gives the target need not exist. */
export const goalOf = ({ task, learns }: LearnChoice): number | null => (learns === 'w' && task?.goal?.loss) || null;

/** The rate of the task suits the problem: it is that of the task. */
export const hasOwnRate = ({ task }: LearnChoice): boolean => task?.link !== undefined;

/** Multiply-adds of a pass above which some hundred steps take too long. */
const MOST_WORK = 1e8;
export function canLearn({ geometry: g, layers }: Pick<Content, 'geometry' | 'layers'>): boolean {
  const work = layers.reduce((sum, { geometry: of }) => sum + gridOf(of, 'y').cells * of.kh * of.kw * of.group_c, 0);
  return g.n > 0 && gridOf(g, 'y').cells > 0 && work <= MOST_WORK;
}

/** Maximum number of weights in the plot: those of the first filter's first channel. */
const MOST_WATCHED = 25;

export function watchedOf(g: Geometry, learns: LearnChoice['learns']): Int32Array {
  if (learns === 'x') return new Int32Array(0);
  const { stride } = gridOf(g, 'w');
  const cells = Array.from(
    { length: g.kh * g.kw },
    (_, t) => Math.floor(t / g.kw) * stride.row + (t % g.kw) * stride.col,
  );
  return Int32Array.from(cells.slice(0, MOST_WATCHED));
}

/** The weights that give the target, and what multiplies them; null: the target is that of the loss. */
function teacherIn({ geometry: g, layers }: Pick<Learning, 'geometry' | 'layers'>, task: LearnChoice['task']) {
  if (task?.kernel) return { weights: teacherOf(g, task.kernel), scale: 1 };
  return task === OTHER_WEIGHTS ? { weights: otherWeights(layers), scale: OTHER_SCALE } : null;
}

export const learnQuestion = (
  of: Pick<Learning, 'geometry' | 'layers'>,
  { task, scale, learns, rate, batch, noise, steps }: LearnChoice,
): QuestionOf<'learn'> => ({
  kind: 'learn',
  learns,
  teacher: teacherIn(of, task),
  // The weights of a task are in its link. Those of the page may be far from any solution. At an x of 0 all ReLUs are closed.
  fromZero: task?.kernel !== undefined && (learns === 'x' || task === YOUR_X),
  scale,
  rate,
  batch,
  noise,
  watch: watchedOf(of.geometry, learns),
  steps,
});

export const learntIn = (answers: Answers): Learned | null => answers.of('learn')[0]?.answer ?? null;

/** "The first step overshot: L went from 40 to 6000. Try a rate of 0.01 or less." '': L never rose above its first value. */
function overshotText({ rate }: LearnChoice, { history: { losses, steps } }: Learned): string {
  const [first = 0, next = 0] = losses;
  let largest = first;
  for (const each of losses) if (each > largest) largest = each;
  if (largest === first) return '';
  const isFirst = next > first && steps[1] === 1;
  const went = `L went from ${formatScientific(first, 3)} to ${formatScientific(isFirst ? next : largest, 3)}.`;
  return `${isFirst ? 'The first' : 'A'} step overshot: ${went} Try a rate of ${formatScientific(safeRate(rate / 5), 3)} or less.`;
}

/** Why no weight of a network moves any more. */
function stillText({ layers, loss }: Learned) {
  if (loss === 0) return 'y is equal to the target, so dw is 0.';
  return layers.some(({ b }) => b !== null)
    ? 'dw is 0 in all layers: only b can be learned.'
    : 'dw is 0 in all layers: nothing can be learned.';
}

/** "After 40 steps L = 0.0012." and whether learning converges. */
export function learnSentence(choice: LearnChoice, learned: Learned): string {
  const { steps, loss, step_size, history } = learned;
  const at = `After ${stepsText(steps)} L = ${formatScientific(loss, 3)}.`;
  const [dead] = learned.closed;
  const overshot = step_size === null ? overshotText(choice, learned) : '';
  // Without L, which can be 0 because of that.
  if (dead !== undefined) {
    return `All ReLUs of layer ${dead + 1} are closed: y no longer depends on ${choice.learns}. ${overshot.replace(/^.*: /, '')}`.trimEnd();
  }
  if (steps < choice.steps) return overshot || `${at} The next step overflows float32, so learning stops here.`;
  if (step_size && step_size.factor < -1) {
    const growth = formatScientific(-step_size.factor, 3);
    return `${at} The learning rate is above ${formatScientific(step_size.largest_rate, 3)}: the error grows ${growth}× per step.`;
  }
  const other = choice.learns === 'w' ? 'x' : 'w';
  if (
    choice.learns === 'w' &&
    step_size === null &&
    history.norms.slice(-learned.layers.length).every((norm) => norm === 0)
  ) {
    return `${at} ${stillText(learned)}`;
  }
  if (step_size?.curvature === 0) return `${at} d${choice.learns} is 0, because ${other} is 0: nothing can be learned.`;
  const goal = goalOf(choice);
  if (goal !== null && loss < goal) return `${at} Converged: L < ${formatScientific(goal, 1)}.`;
  if (steps === 0) return `${at} Press Play: each step goes down the slope.`;
  const [first] = history.losses;
  // The loss of one layer can rise for a batch or with noise, although the rate is small enough.
  if (overshot && first !== undefined && loss > first) return overshot;
  return first === undefined ? at : `${at.slice(0, -1)}, from ${formatScientific(first, 3)}.`;
}
