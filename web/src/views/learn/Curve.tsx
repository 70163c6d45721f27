import type { ComponentChildren } from 'preact';
import type { ViewState } from '../../look/look';
import type { Content } from '../../protocol/messages';
import type { Learned } from '../../protocol/questions';
import { Select } from '../../ui/controls/Choice';
import { Chart, type Series } from '../../ui/plot/Chart';
import { LayoutBox } from '../shared/stage/LayoutBox';
import type { Box } from '../shared/stage/layout';
import { useGeometry, useViewModel } from '../shared/view-model';
import { goalOf, type LearnChoice, PLOTS, teacherOf, watchedOf } from './choice';

const LABELS: Readonly<Record<LearnChoice['plot'], string>> = {
  log: 'loss, log',
  linear: 'loss',
  weights: 'weights',
  norms: 'norms of dw',
};
const BELOW = [
  { value: 'target', label: 'target' },
  { value: 'dy', label: 'dy' },
] as const;
const HEAD = 38;
const LEGEND = 26;
/** Width of all controls above the plot in one line: without, and with that of the batch. */
const ONE_LINE = { one: 600, batch: 760 } as const;
/** Height in a stack, which has no fixed boxes. */
const TALL = 240;
/** Height of the control below the plot that opens its table. */
const TABLE = 26;

/** The loss, or the weights, over the steps. */
export function Curve({
  box,
  choice,
  learned,
  onState,
  children,
}: {
  box: Box;
  /** The choice of the controls; may be ahead of `learned`. */
  choice: LearnChoice;
  learned: Learned;
  onState: (change: ViewState) => void;
  /** More controls above the plot. */
  children: ComponentChildren;
}) {
  const g = useGeometry();
  const { layout, content } = useViewModel();
  const { arrangement } = layout.value;
  const { learns, isNetwork, task, until, plot } = choice;
  const weights = plot === 'weights';
  const norms = plot === 'norms';
  const watched = watchedOf(g, learns);
  const teacher = task?.kernel && weights ? teacherOf(g, task.kernel) : null;
  const goals = teacher ? [...new Set(Array.from(watched, (index) => teacher[index] ?? 0))] : [];
  const goal = goalOf(choice);
  const lines = Math.ceil((g.n > 1 ? ONE_LINE.batch : ONE_LINE.one) / Math.max(box.width, 1));
  const head = Math.min(lines, 4) * HEAD + (norms ? LEGEND : 0);
  const first = learned.history.losses[0] ?? 0;
  return (
    <LayoutBox box={box} scrolls>
      <div class="learn__plot-head wrap">
        <Select
          label="plot"
          quiet
          options={PLOTS.filter((value) => (value === 'norms' ? isNetwork : value !== 'weights' || learns === 'w')).map(
            (value) => ({ value, label: LABELS[value] }),
          )}
          value={plot}
          onChange={(to) => onState({ plot: to })}
        />
        {learned.target && (
          <Select
            label="panel below y"
            quiet
            options={BELOW}
            value={choice.below}
            onChange={(to) => onState({ below: to })}
          />
        )}
        {children}
      </div>
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
        height={arrangement === 'stage' ? Math.max(64, box.height - head - TABLE) : TALL}
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
