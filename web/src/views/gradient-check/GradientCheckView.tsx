import { useEffect, useMemo } from 'preact/hooks';
import { cellLabel } from '../../geometry/labels';
import type { ParameterName } from '../../protocol/problem';
import { Segmented } from '../../ui/controls/Choice';
import { StepSlider } from '../../ui/controls/StepSlider';
import { LogPlot } from '../../ui/plot/LogPlot';
import { formatScientific } from '../../ui/quantities';
import { useDerived, useGeometry, usePicture } from '../kit/picture';
import { below, wholeStage } from '../kit/stage/layout';
import { Place } from '../kit/stage/Place';
import type { View, ViewProps } from '../kit/view';
import { CheckTable } from './CheckTable';
import { canCheckAll, choiceOf, choiceOfCell, epsilonsOf, gradientOf, PRECISIONS } from './choice';
import { ErrorMap } from './ErrorMap';
import { LESSONS, LOSS_OPTIONS, OTHER_LOSS } from './lessons';
import { checkQuestions } from './questions';
import { bestOf, checkedCells, readingAt, sweepsOf } from './readings';
import { Verdict } from './Verdict';
import './gradient-check.css';

const PARAMETERS: readonly { readonly value: ParameterName; readonly label: string }[] = [
  { value: 'x', label: 'dx' },
  { value: 'w', label: 'dw' },
  { value: 'b', label: 'db' },
];

const PRECISION_OPTIONS = PRECISIONS.map((value) => ({ value, label: value }));
/** Between the columns, and height of the experiment's table with its words. */
const GAP = 28;
const TABLE = 264;
/** The share of the table, whose numbers are long. */
const TABLE_WIDE = 0.57;

/** The experiment on one cell, the errors of all cells, and what the step does to them. */
function GradientCheck({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const layout = usePicture().layout.value;
  usePinned(onState);

  const choice = choiceOf(g, state);
  const now = choiceOf(g, wanted);
  const tensor = gradientOf(choice.parameter);
  const name = cellLabel(g, { tensor: choice.parameter, index: choice.index });
  const gradient = cellLabel(g, { tensor, index: choice.index });
  const sweeps = sweepsOf(answers, g, choice);
  const cells = useMemo(() => checkedCells(answers, g, choiceOf(g, state)), [answers, g, state]);
  const exactZero = sweeps.some((sweep) => readingAt(sweep, choice.epsilon)?.analytic === 0);
  const field = exactZero ? 'absolute' : 'relative';
  const all = wholeStage(layout);
  const left = { ...all, width: (all.width - GAP) * TABLE_WIDE };
  const right = { ...all, left: left.width + GAP, width: all.width - left.width - GAP };
  return (
    <>
      <Place box={{ ...left, height: TABLE }} scrolls>
        <h3 class="gradient-check__title">
          Nudge <i class="symbol">{name}</i> by ±{formatScientific(choice.epsilon, 1)}
        </h3>
        <p class="gradient-check__formula">{LESSONS[choice.loss].formula}</p>
        <CheckTable sweeps={sweeps} epsilon={choice.epsilon} name={name} gradient={gradient} />
      </Place>
      {cells && (
        <ErrorMap
          choice={choice}
          cells={cells}
          box={below(left, TABLE + 12)}
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
      {!canCheckAll(g, choice.parameter) && (
        <Place box={below(left, TABLE + 12)} scrolls>
          <p class="gradient-check__note">
            {tensor} is too large to be nudged cell by cell while one waits. Pin any of its cells on the board to check
            that one.
          </p>
        </Place>
      )}
      <Place box={right} scrolls>
        <h3 class="gradient-check__title">Which step is best?</h3>
        <StepSlider
          label="step ε"
          steps={epsilonsOf(g)}
          value={now.epsilon}
          text={formatScientific(now.epsilon, 1)}
          onChange={(epsilon) => onState({ epsilon })}
        />
        <LogPlot
          label={`${field} error of ${gradient} over the step`}
          xLabel="step ε"
          yLabel={`${field} error`}
          series={sweeps.map(({ precision, readings }) => ({
            name: precision,
            points: readings.map((reading) => ({ x: reading.epsilon, y: reading[field] })),
          }))}
          chosen={now.epsilon}
          onChoose={(epsilon) => onState({ epsilon })}
        />
      </Place>
    </>
  );
}

/** The cell that a person pins is the one that is nudged. */
function usePinned(onState: ViewProps['onState']): void {
  const { highlights } = usePicture();
  const pinned = useDerived(() => (highlights.value?.pinned ? highlights.value.cell : null), [highlights]).value;
  const [tensor, index] = [pinned?.tensor, pinned?.index];
  useEffect(() => {
    const chosen = tensor !== undefined && index !== undefined ? choiceOfCell({ tensor, index }) : null;
    if (chosen) onState(chosen);
  }, [tensor, index, onState]);
}

function Settings({ wanted, onState }: ViewProps) {
  const now = choiceOf(useGeometry(), wanted);
  return (
    <>
      <Segmented
        label="gradient"
        quiet
        options={PARAMETERS}
        value={now.parameter}
        onChange={(parameter) => onState({ parameter, index: 0 })}
      />
      <Segmented label="loss" quiet options={LOSS_OPTIONS} value={now.loss} onChange={(loss) => onState({ loss })} />
    </>
  );
}

/** The verdict stands where other modes have their player. */
function Judgement({ state, answers, onState }: ViewProps) {
  const g = useGeometry();
  const choice = choiceOf(g, state);
  const cells = checkedCells(answers, g, choice);
  const sweep = sweepsOf(answers, g, choice).find(({ precision }) => precision === choice.precision);
  if (!cells) return null;
  return (
    <Verdict
      choice={choice}
      cells={cells}
      best={sweep ? bestOf(sweep) : null}
      onEpsilon={(epsilon) => onState({ epsilon })}
    />
  );
}

function About({ state }: ViewProps) {
  const { loss } = choiceOf(useGeometry(), state);
  return (
    <>
      <p>Pale digits are the same in both losses and cancel in the difference; the quotient lives on the others.</p>
      <p>{LESSONS[loss].text}</p>
      {loss !== 'linear' && <p>{OTHER_LOSS}</p>}
    </>
  );
}

export const gradientCheckView: View = {
  sentence: 'Is the gradient right? Move one number a little, run the forward pass twice, and compare the slope.',
  /** Two sweeps over the steps for one cell, and all cells at the chosen step. A slider only picks from the sweeps. */
  needs: (g, state) => checkQuestions(g, choiceOf(g, state)),
  fillsIn: true,
  Component: GradientCheck,
  Settings,
  Player: Judgement,
  About,
};
