import type { ViewState } from '../../look/look';
import type { Learnt } from '../../protocol/questions';
import { Select } from '../../ui/controls/Choice';
import { CurvePlot } from '../../ui/plot/CurvePlot';
import type { Series } from '../../ui/plot/series';
import { useGeometry, usePicture } from '../kit/picture';
import { type Box, below } from '../kit/stage/layout';
import { Place } from '../kit/stage/Place';
import { type Choice, goalOf, watchedOf } from './choice';
import { teacherOf } from './tasks';

interface CurveProps {
  readonly box: Box;
  /** As it is wanted. */
  readonly choice: Choice;
  readonly learnt: Learnt;
  readonly onState: (change: ViewState) => void;
}

const PLOTS = [
  { value: 'log', label: 'loss, log' },
  { value: 'linear', label: 'loss' },
  { value: 'weights', label: 'weights' },
] as const;
const BELOW = [
  { value: 'target', label: 'target' },
  { value: 'dy', label: 'dy' },
] as const;
const HEAD = 40;
/** Its two lists stand side by side from here. */
const SIDE_BY_SIDE = 190;
/** In a stack there is no box to be filled. */
const TALL = 240;
/** Of the way to the table below the plot. */
const TABLE = 26;

/** The loss over the steps, or the weights: where the steps led. */
export function Curve({ box, choice, learnt, onState }: CurveProps) {
  const g = useGeometry();
  const { arrangement } = usePicture().layout.value;
  const { learns, task, until, plot } = choice;
  const weights = plot === 'weights';
  const room = below(box, arrangement === 'stage' && box.width < SIDE_BY_SIDE ? 2 * HEAD : HEAD);
  const watched = watchedOf(g, learns);
  const teacher = task && weights ? teacherOf(g, task) : null;
  const goals = teacher ? [...new Set(Array.from(watched, (index) => teacher[index] ?? 0))] : [];
  const goal = goalOf(choice);
  const first = learnt.history.losses[0] ?? 0;
  return (
    <Place box={box} scrolls>
      <div class="learn__plot-head">
        <Select
          label="plot"
          quiet
          options={learns === 'w' ? PLOTS : PLOTS.slice(0, 2)}
          value={plot}
          onChange={(to) => onState({ plot: to })}
        />
        <Select
          label="what stands below y"
          quiet
          options={BELOW}
          value={choice.below}
          onChange={(to) => onState({ below: to })}
        />
      </div>
      <CurvePlot
        label={
          weights
            ? `the ${watched.length} weights of the first filter over the steps`
            : `the loss over the steps, from ${first.toPrecision(3)} to ${learnt.loss.toPrecision(3)}`
        }
        xLabel="steps"
        yLabel={weights ? 'weight' : 'loss L'}
        series={weights ? weightsOf(learnt, g.kw, watched.length) : lossOf(learnt)}
        until={until}
        height={arrangement === 'stage' ? Math.max(120, room.height - TABLE) : TALL}
        logarithmic={plot === 'log'}
        goals={weights ? goals : goal === null ? [] : [goal]}
        onChoose={(t) => onState({ t })}
      />
    </Place>
  );
}

const lossOf = ({ history: { steps, losses } }: Learnt): readonly Series[] => [
  { name: 'loss', points: Array.from(steps, (x, i) => ({ x, y: losses[i] ?? Number.NaN })) },
];

const weightsOf = ({ history: { steps, watched } }: Learnt, cols: number, count: number): readonly Series[] =>
  Array.from({ length: count }, (_, cell) => ({
    name: `w[${Math.floor(cell / cols)},${cell % cols}]`,
    points: Array.from(steps, (x, i) => ({ x, y: watched[i * count + cell] ?? Number.NaN })),
  }));
