import type { ViewState } from '../../look/look';
import type { Learned } from '../../protocol/learn';
import type { Content } from '../../protocol/messages';
import { Chart, type Series } from '../../ui/plot/Chart';
import { LayoutBox } from '../shared/stage/LayoutBox';
import type { Box } from '../shared/stage/layout';
import { useGeometry, useViewModel } from '../shared/view-model';
import { goalOf, type LearnChoice, teacherOf, watchedOf } from './choice';

/** Height in a stack, which has no fixed boxes. */
const TALL = 240;
/** Height of the legend, and of the control below the plot that opens its table. */
const LEGEND = 26;
const TABLE = 26;

/** The loss, or the weights, over the steps. */
export function Curve({
  box,
  choice,
  learned,
  onState,
}: {
  box: Box;
  /** The choice of the controls; may be ahead of `learned`. */
  choice: LearnChoice;
  learned: Learned;
  onState: (change: ViewState) => void;
}) {
  const g = useGeometry();
  const { layout, content } = useViewModel();
  const { arrangement } = layout.value;
  const { learns, task, until, plot } = choice;
  const weights = plot === 'weights';
  const norms = plot === 'norms';
  const watched = watchedOf(g, learns);
  const teacher = task?.kernel && weights ? teacherOf(g, task.kernel) : null;
  const goals = teacher ? [...new Set(Array.from(watched, (index) => teacher[index] ?? 0))] : [];
  const goal = goalOf(choice);
  const first = learned.history.losses[0] ?? 0;
  return (
    <LayoutBox box={box} scrolls>
      <Chart
        label={
          norms
            ? 'the norms of dw of all layers over the steps'
            : weights
              ? `the ${watched.length} weights of the first filter over the steps`
              : `the loss over the steps, from ${first.toPrecision(3)} to ${learned.loss.toPrecision(3)}`
        }
        xLabel="steps"
        yLabel={norms ? 'norm of dw' : weights ? 'weight' : 'loss L'}
        series={
          norms
            ? normsOf(learned, content.value.layers)
            : weights
              ? weightsOf(learned, g.kw, watched.length)
              : lossOf(learned)
        }
        named={norms}
        until={until}
        height={arrangement === 'stage' ? box.height - (norms ? LEGEND : 0) - TABLE : TALL}
        logarithmic={plot === 'log' || norms}
        goals={weights ? goals : goal === null || norms ? [] : [goal]}
        onChoose={(t) => onState({ t })}
      />
    </LayoutBox>
  );
}

const lossOf = ({ history: { steps, losses } }: Learned): readonly Series[] => [
  { name: 'loss', points: Array.from(steps, (x, i) => ({ x, y: losses[i] ?? Number.NaN })) },
];

function normsOf({ history: { steps, norms } }: Learned, layers: Content['layers']): readonly Series[] {
  const convolutions = layers.flatMap(({ tensors }, i) => (tensors.w ? [i] : []));
  return convolutions.map((layer, at) => ({
    name: `layer ${layer + 1}`,
    points: Array.from(steps, (x, i) => ({ x, y: norms[i * convolutions.length + at] ?? Number.NaN })),
  }));
}

const weightsOf = ({ history: { steps, watched } }: Learned, cols: number, count: number): readonly Series[] =>
  Array.from({ length: count }, (_, cell) => ({
    name: `w[${Math.floor(cell / cols)},${cell % cols}]`,
    points: Array.from(steps, (x, i) => ({ x, y: watched[i * count + cell] ?? Number.NaN })),
  }));
