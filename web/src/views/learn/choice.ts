import { gridOf } from '../../geometry/grid';
import type { ViewState } from '../../look/look';
import type { Content } from '../../protocol/messages';
import type { Geometry } from '../../protocol/problem';
import type { LearnAsk, Learned, QuestionOf } from '../../protocol/questions';
import { formatCount, formatScientific } from '../../ui/quantities';
import type { Answers } from '../kit/answers';
import { useViewModel } from '../kit/view-model';
import { TASKS, type Task, teacherOf, YOUR_X } from './tasks';

/** The task that is none: the target is that of the loss. */
export const OWN = 'own';

export const PLOTS = ['log', 'linear', 'weights', 'norms'] as const;

/** What learns. */
type Learning = Pick<Content, 'geometry' | 'fixed' | 'loss' | 'layers'>;

/** The settings of the descent. */
export interface LearnChoice extends Pick<LearnAsk, 'learns' | 'rate' | 'batch' | 'noise' | 'steps'> {
  /** The task that gives the target; null: the target is that of the page's loss. */
  readonly task: Task | typeof YOUR_X | null;
  /** All layers of a network learn; those before and after the one that is shown, too. */
  readonly isNetwork: boolean;
  /** Of a network: the weights start multiplied by it. */
  readonly scale: number;
  /** Length of the player, in steps. */
  readonly until: number;
  /** The loss on one of two scales, the weights, or in a network the norms of dw of its layers. */
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

const inside = (value: ViewState[string] | undefined, fallback: number, least: number, most: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(least, Math.min(most, value)) : fallback;

/**
 * The choice, limited to the current problem. Without a target in the loss of the problem, it opens on the blurred x; a network has
 * the target of its loss.
 */
export function learnChoice({ geometry: g, fixed, loss, layers }: Learning, state: ViewState): LearnChoice {
  const isNetwork = layers.length > 1;
  const wantedTask = state.task ?? (loss?.target ? OWN : YOUR_X.id);
  const task = [...TASKS, YOUR_X].find(({ id, kernel }) => id === wantedTask && isNetwork === !kernel) ?? null;
  const learns = state.learns === 'x' && !isNetwork ? 'x' : 'w';
  const steps = Math.round(inside(state.t, 0, 0, MOST_STEPS));
  const wanted = inside(state.until, task && 'goal' in task ? task.goal.steps : LENGTHS[0], 1, MOST_STEPS);
  return {
    task,
    isNetwork,
    scale: isNetwork ? inside(state.scale, task?.scale ?? 1, 0, MOST_SCALE) : 1,
    learns,
    rate: inside(state.rate, (learns === 'x' ? task?.rateOfX : task?.rate) ?? RATE, 0, MOST_RATE),
    batch: isNetwork ? Math.max(1, g.n) : Math.round(inside(state.batch, g.n, 1, Math.max(1, g.n))),
    noise: isNetwork ? 0 : inside(state.noise, 0, 0, MOST_NOISE),
    steps,
    until: LENGTHS.find((length) => length >= Math.max(wanted, steps)) ?? MOST_STEPS,
    plot:
      PLOTS.find(
        (plot) => plot === state.plot && (plot !== 'weights' || learns === 'w') && (plot !== 'norms' || isNetwork),
      ) ?? 'log',
    below: state.below === 'dy' || fixed.dy ? 'dy' : 'target',
  };
}

/** `learnChoice` for the problem of the view. */
export function useChoiceOf(): (state: ViewState) => LearnChoice {
  const content = useViewModel().content.value;
  return (state) => learnChoice(content, state);
}

/** The loss below which learning has converged; null for x: an x that gives the target need not exist. */
export const goalOf = ({ task, learns }: LearnChoice): number | null =>
  learns === 'w' && task && 'goal' in task ? task.goal.loss : null;

/** The rate of the task suits the problem: it is that of the task. */
export const hasOwnRate = ({ task }: LearnChoice): boolean => task !== null && 'link' in task;

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

export const learnQuestion = (
  g: Geometry,
  { task, isNetwork, scale, learns, rate, batch, noise, steps }: LearnChoice,
): QuestionOf<'learn'> => ({
  kind: 'learn',
  learns,
  teacher: task?.kernel ? teacherOf(g, task.kernel) : null,
  // The weights of a task are in its link. Those of the page may be far from any solution.
  fromZero: !isNetwork && task !== null && (learns === 'x' || task === YOUR_X),
  ...(isNetwork && { scale }),
  rate,
  batch,
  noise,
  watch: watchedOf(g, learns),
  steps,
});

export const learntIn = (answers: Answers): Learned | null => answers.of('learn')[0]?.answer ?? null;

/** Why no weight of a network moves any more. */
function stillText({ closed = [], layers = [], loss, history }: Learned): string {
  const [layer] = closed;
  if (layer !== undefined) {
    const [first = 0] = history.losses;
    let largest = first;
    for (const each of history.losses) if (each > largest) largest = each;
    const rose =
      largest > first ? ` The learning rate is too large: L rose to ${formatScientific(largest, 3)} first.` : '';
    const zero = loss === 0 ? ' L is 0 only because the target is the same everywhere.' : '';
    return `All ReLUs of layer ${layer + 1} are closed: y no longer depends on w.${zero}${rose}`;
  }
  if (loss === 0) return 'y is equal to the target, so dw is 0.';
  return layers.some(({ b }) => b !== null)
    ? 'dw is 0 in all layers: only b can be learned.'
    : 'dw is 0 in all layers: nothing can be learned.';
}

/** "After 40 steps L = 0.0012." and whether learning converges. */
export function learnSentence(choice: LearnChoice, learned: Learned): string {
  const { steps, loss, step_size, history } = learned;
  const at = `After ${stepsText(steps)} L = ${formatScientific(loss, 3)}.`;
  if (steps < choice.steps) return `${at} The next step overflows float32, so learning stops here.`;
  if (step_size && step_size.factor < -1) {
    const growth = formatScientific(-step_size.factor, 3);
    return `${at} The learning rate is above ${formatScientific(step_size.largest_rate, 3)}: the error grows ${growth}× per step.`;
  }
  const other = choice.learns === 'w' ? 'x' : 'w';
  if (step_size === null && history.norms.slice(-(learned.layers?.length ?? 0)).every((norm) => norm === 0)) {
    return `${at} ${stillText(learned)}`;
  }
  if (step_size?.curvature === 0) return `${at} d${choice.learns} is 0, because ${other} is 0: nothing can be learned.`;
  const goal = goalOf(choice);
  if (goal !== null && loss < goal) return `${at} Converged: L < ${formatScientific(goal, 1)}.`;
  if (steps === 0) return `${at} Press Play: each step goes down the slope.`;
  const [first] = history.losses;
  // The loss of one layer can rise for a batch or with noise, although the rate is small enough.
  if (step_size === null && first !== undefined && loss > first) {
    return `${at} It rose from ${formatScientific(first, 3)}: the learning rate is too large.`;
  }
  return first === undefined ? at : `${at.slice(0, -1)}, from ${formatScientific(first, 3)}.`;
}
