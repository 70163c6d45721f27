import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { gridOf, positionOf } from '../../geometry/grid';
import { cellLabel } from '../../geometry/labels';
import type { Cell, Geometry } from '../../protocol/problem';
import { type ColorScale, scaleEnd } from '../../ui/color-scale';
import { Segmented } from '../../ui/controls/Choice';
import { StepSlider } from '../../ui/controls/NumberField';
import { oneCell } from '../../ui/grid/marks';
import { Chart } from '../../ui/plot/Chart';
import { formatScientific } from '../../ui/quantities';
import { planeEvents } from '../shared/cell-events';
import { AROUND, type Fit, LARGEST_TENSOR, type Room } from '../shared/fit';
import { fitGrid } from '../shared/fit-grid';
import { GridPanel } from '../shared/GridPanel';
import { gridData, marked, spotOf } from '../shared/plane';
import { LayoutBox } from '../shared/stage/LayoutBox';
import { below, rowsOf, wholeStage } from '../shared/stage/layout';
import {
  useDerived,
  useGeometry,
  usePinned,
  usePlane,
  useViewModel,
  type View,
  type ViewProps,
} from '../shared/view-model';
import { CheckTable, CheckVerdict } from './CheckVerdict';
import {
  bendNote,
  CHECK_LOSSES,
  type CheckChoice,
  type CheckedCells,
  canCheckAll,
  checkChoice,
  checkedCells,
  checkQuestions,
  choiceOfCell,
  epsilonsOf,
  gradientOf,
  lossFormula,
  lossNamed,
  MISTAKE,
  OTHER_LOSS,
  PARAMETERS,
  PRECISIONS,
  readingAt,
  sweepsOf,
  worstOf,
} from './choice';
import './gradient-check.css';

/** The relative error of every cell of a gradient. */
function ErrorMap({
  choice,
  cells,
  fit,
  onIndex,
  settings,
}: {
  choice: CheckChoice;
  /** The cells of the parameter at the chosen step. */
  cells: CheckedCells;
  fit: Fit;
  onIndex: (index: number) => void;
  /** Settings above the map. */
  settings: ComponentChildren;
}) {
  const g = useGeometry();
  const { events } = useViewModel();
  const tensor = gradientOf(choice.parameter);
  const { index } = choice;
  const plane = usePlane(tensor);
  const data = useMemo(() => gridData(plane, Float32Array.from(cells.relative)), [plane, cells]);
  const marks = useDerived(() => {
    const spot = spotOf(plane, positionOf(g, { tensor, index }));
    return marked('focus', spot ? [oneCell(spot.row, spot.col)] : []);
  }, [g, plane, tensor, index]);
  const { onHover } = events;
  const acts = { onHover, onMove: onHover, onPick: (cell: Cell) => onIndex(cell.index) };
  const { slice, channel } = gridOf(g, tensor).size;
  return (
    <>
      <div class="gradient-check__head ends loose">
        <h3 class="view-title">All cells of {tensor}</h3>
        {settings}
      </div>
      <GridPanel
        {...{ tensor, data, fit, marks }}
        subtitle={slice * channel > 1 && tensor !== 'db' ? 'relative errors, slice in focus' : 'relative errors'}
        size=""
        scale={scaleOf(cells)}
        label={`relative errors of ${tensor}`}
        events={planeEvents(g, plane, acts)}
      />
    </>
  );
}

/** Height of the settings above the map, and least width for them. */
const SETTINGS = 36;
const LEAST_WIDE = 264;

/** The largest map in a room, and the size of all with its settings. */
function fitMap(g: Geometry, tensor: 'dx' | 'dw' | 'db', room: Room) {
  const [rows, cols] = tensor === 'db' ? [1, g.k] : [rowsOf(g, tensor), gridOf(g, tensor).size.col];
  const fit = fitGrid({ ...room, height: room.height - SETTINGS }, rows, cols, { most: LARGEST_TENSOR });
  const { frame, head, legend } = AROUND;
  const [wide, tall] = fit.kind === 'map' ? [fit.width, fit.height + legend] : [cols * fit.size, rows * fit.size];
  return { fit, width: Math.max(LEAST_WIDE, wide + frame), height: SETTINGS + head + frame + tall };
}

/** Small errors use more of the ramp. */
function scaleOf({ relative }: CheckedCells): ColorScale {
  const most = relative[worstOf(relative.map((error) => (Number.isNaN(error) ? 0 : error)))] ?? 0;
  const min = relative.every((error) => error === most) ? most : 0;
  return { maxAbs: scaleEnd({ min, max: most, max_abs: most }), ramp: 'amount', transfer: 'root' };
}

const PARAMETER_OPTIONS = PARAMETERS.map((value) => ({ value, label: gradientOf(value) }));
const PRECISION_OPTIONS = PRECISIONS.map((value) => ({ value }));
/** Gaps between the parts; height of the table with its title and formula, and with slopes on both sides; that of the text around the plot's drawing. */
const GAP = { across: 28, down: 12 } as const;
const TABLE = { plain: 248, bends: 302 } as const;
const AROUND_PLOT = 104;
const LEAST_PLOT = 120;
/** Largest share of the width for the map. */
const MAP_WIDE = 0.42;

/** The check of one cell, the errors of all cells, and the errors over the step size. */
function GradientCheck({ state, wanted, answers, onState }: ViewProps) {
  const content = useViewModel().content.value;
  const { geometry: g } = content;
  const layout = useViewModel().layout.value;
  usePinned(choiceOfCell, onState);

  const choice = checkChoice(content, state);
  const now = checkChoice(content, wanted);
  const tensor = gradientOf(choice.parameter);
  const name = cellLabel(g, { tensor: choice.parameter, index: choice.index });
  const gradient = cellLabel(g, { tensor, index: choice.index });
  const sweeps = sweepsOf(answers, content, choice);
  const cells = useMemo(() => checkedCells(answers, content, checkChoice(content, state)), [answers, content, state]);
  const exactZero = sweeps.some((sweep) => readingAt(sweep, choice.epsilon)?.analytic === 0);
  const field = exactZero ? 'absolute' : 'relative';
  const all = wholeStage(layout);
  const isStage = layout.arrangement === 'stage';
  const high = all.height - GAP.down - AROUND_PLOT - LEAST_PLOT;
  const map = fitMap(g, tensor, isStage ? { width: all.width * MAP_WIDE, height: high } : all);
  const top = Math.max(bendNote(content) ? TABLE.bends : TABLE.plain, map.height);
  const left = { ...all, width: map.width, height: top };
  const right = { ...left, left: map.width + GAP.across, width: all.width - map.width - GAP.across };
  const bottom = below(all, top + GAP.down);
  return (
    <>
      <LayoutBox box={right} scrolls>
        <h3 class="view-title">
          Change <i class="symbol">{name}</i> by ±{formatScientific(choice.epsilon, 1)}
        </h3>
        <p class="view-formula">{lossFormula(content, choice.loss)}</p>
        <CheckTable sweeps={sweeps} epsilon={choice.epsilon} name={name} gradient={gradient} />
      </LayoutBox>
      <LayoutBox box={left}>
        {cells && (
          <ErrorMap
            choice={choice}
            cells={cells}
            fit={map.fit}
            onIndex={(index) => onState({ index })}
            settings={
              <Segmented
                label="precision of the map"
                quiet
                options={PRECISION_OPTIONS}
                value={now.precision}
                onChange={(precision) => onState({ precision })}
              />
            }
          />
        )}
        {!canCheckAll(content, choice.parameter) && (
          <p class="kit__note note">
            {tensor} is too large to check every cell. Pin one of its cells in the Overview to check that cell.
          </p>
        )}
      </LayoutBox>
      <LayoutBox box={bottom} scrolls>
        <div class="gradient-check__head ends loose">
          <h3 class="view-title">Which step is best?</h3>
          <StepSlider
            label="step ε"
            steps={epsilonsOf(content)}
            value={now.epsilon}
            text={formatScientific(now.epsilon, 1)}
            onChange={(epsilon) => onState({ epsilon })}
          />
        </div>
        <Chart
          label={`${field} error of ${gradient} over the step`}
          xLabel="step ε"
          yLabel={`${field} error`}
          series={sweeps.map(({ precision, readings }) => ({
            name: precision,
            points: readings.map((reading) => ({ x: reading.epsilon, y: reading[field] })),
          }))}
          chosen={now.epsilon}
          onChoose={(epsilon) => onState({ epsilon })}
          {...(isStage ? { height: Math.max(LEAST_PLOT, bottom.height - AROUND_PLOT) } : {})}
        />
      </LayoutBox>
    </>
  );
}

function Settings({ wanted, onState }: ViewProps) {
  const now = checkChoice(useViewModel().content.value, wanted);
  return (
    <>
      <Segmented
        label="gradient"
        quiet
        options={PARAMETER_OPTIONS}
        value={now.parameter}
        onChange={(parameter) => onState({ parameter, index: '' })}
      />
      <Segmented label="loss" quiet options={CHECK_LOSSES} value={now.loss} onChange={(loss) => onState({ loss })} />
    </>
  );
}

function About({ state }: ViewProps) {
  const content = useViewModel().content.value;
  const { loss, parameter } = checkChoice(content, state);
  const note = bendNote(content);
  return (
    <>
      <p>The check changes one cell of {parameter}; all others stay as they are.</p>
      <p>Pale digits are equal in both losses and cancel. Only the other digits carry information.</p>
      <p>{lossNamed(loss).text}</p>
      {note && <p>{note}</p>}
      <p>{MISTAKE}</p>
      {loss !== 'linear' && <p>{OTHER_LOSS}</p>}
    </>
  );
}

export const gradientCheckView: View = {
  question: 'Is the gradient right? Compare it with slopes that are measured.',
  sentence: 'Is the gradient right? Change one value a little, run the forward pass twice, and compare the slope.',
  /** Two sweeps over the steps for one cell, and all cells at the chosen step. The slider reads from the sweeps. */
  needs: (content, state) => checkQuestions(content, checkChoice(content, state)),
  showsPartialAnswers: true,
  formulas: (content, state) => {
    const { parameter: v } = checkChoice(content, state);
    return [`dL/d${v} ≈ (L(${v}+ε) − L(${v}−ε)) / 2ε`];
  },
  Component: GradientCheck,
  Settings,
  Player: CheckVerdict,
  About,
};
