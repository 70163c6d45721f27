import { useMemo } from 'preact/hooks';
import { gridOf, positionOf } from '../../geometry/grid';
import { cellLabel } from '../../geometry/labels';
import type { GradientCheckRun } from '../../protocol/follow-ups';
import { ColourLegend } from '../../ui/ColourLegend';
import { Button } from '../../ui/controls/Button';
import { GridFigure } from '../../ui/grid/GridFigure';
import type { Spot } from '../../ui/grid/grid-data';
import { oneCell } from '../../ui/grid/marks';
import { TensorGrid } from '../../ui/grid/TensorGrid';
import { formatScientific } from '../../ui/powers';
import { isConfirmed } from '../kit/confirmed';
import { cellOfSpot, gridData, planeOf, spotOf } from '../kit/plane';
import type { Scene, SceneEvents } from '../kit/scene';
import { type Choice, gradientOf } from './choice';
import { type Reading, worstOf } from './readings';
import '../kit/verdict.css';

interface ErrorMapProps {
  readonly scene: Omit<Scene, 'layout'>;
  readonly events: SceneEvents;
  readonly choice: Choice;
  /** All cells of the parameter at the chosen step. */
  readonly run: GradientCheckRun;
  /** The chosen cell at its best step, in the map's precision. */
  readonly best: Reading | null;
  /** Room in CSS pixels. */
  readonly width: number;
  readonly onIndex: (index: number) => void;
  readonly onEpsilon: (epsilon: number) => void;
}

const LARGEST = 36;
const MOST_TALL = 340;

/** The relative error of every cell of a gradient, and one sentence about all of them. */
export function ErrorMap(props: ErrorMapProps) {
  const { scene, events, choice, run, width, onIndex } = props;
  const { geometry: g, focus } = scene;
  const tensor = gradientOf(choice.parameter);
  const { n, c, k } = focus;
  const plane = useMemo(() => planeOf(g, tensor, { n, c, k }), [g, tensor, n, c, k]);
  const data = useMemo(() => gridData(plane, Float32Array.from(run.cells.relative_error)), [plane, run]);
  const spot = spotOf(plane, positionOf(g, { tensor, index: choice.index }));
  const report = (handle: (index: number) => void) => (at: Spot) => {
    const cell = cellOfSpot(g, plane, at);
    if (cell) handle(cell.index);
  };
  const scale = { maxAbs: run.max_relative_error, ramp: 'signed', transfer: 'root' } as const;
  const size = Math.min(LARGEST, width / plane.cols, MOST_TALL / plane.rows);
  const { slice, channel } = gridOf(g, tensor).size;
  return (
    <div class="error-map">
      <GridFigure
        title={tensor}
        subtitle={slice * channel > 1 && tensor !== 'db' ? 'relative errors, slice of the board' : 'relative errors'}
        size=""
        accent={`var(--id-${choice.parameter})`}
        twin
      >
        <div class="panel__frame">
          <TensorGrid
            label={`relative errors of ${tensor}`}
            data={data}
            scale={scale}
            size={size >= 14 ? Math.floor(size) : size}
            marks={spot ? [{ tone: 'focus', area: oneCell(spot.row, spot.col) }] : []}
            onHover={(at) => events.onHover(at && cellOfSpot(g, plane, at))}
            onMove={report((index) => events.onHover({ tensor, index }))}
            onPick={report(onIndex)}
          />
        </div>
      </GridFigure>
      <ColourLegend scale={scale} marker={null} positive />
      <Verdict {...props} />
    </div>
  );
}

function Verdict({ scene: { geometry: g }, choice, run, best, onEpsilon }: ErrorMapProps) {
  const tensor = gradientOf(choice.parameter);
  const count = run.cells.index.length;
  const all = count === 1 ? `The one cell of ${tensor} agrees` : `All ${count} cells of ${tensor} agree`;
  const largest = formatScientific(run.max_relative_error, 2);
  if (run.max_relative_error === 0) {
    return <p class="verdict verdict--good">{all} with the difference quotient, to the last bit.</p>;
  }
  if (isConfirmed(choice.precision, run.max_relative_error)) {
    return (
      <p class="verdict verdict--good">
        {all} with the difference quotient: the largest relative error is {largest}.
      </p>
    );
  }
  const worst = cellLabel(g, { tensor, index: run.cells.index[worstOf(run.cells.relative_error)] ?? 0 });
  // What another step makes of a cell that fails with this one says something about the step, else nothing.
  const fails = !isConfirmed(choice.precision, run.cells.relative_error[choice.index] ?? 0);
  const better = fails && best && isConfirmed(choice.precision, best.relative) ? best : null;
  return (
    <div class="verdict verdict--poor">
      <p>
        Not confirmed with this step in {choice.precision}: the relative error goes up to {largest}, at {worst}.
        {better && ' The step is at fault, not the gradient.'}
      </p>
      {better && (
        <Button onClick={() => onEpsilon(better.epsilon)}>Take ε = {formatScientific(better.epsilon, 1)}</Button>
      )}
    </div>
  );
}
