import { useEffect } from 'preact/hooks';
import { cellLabel } from '../../geometry/labels';
import type { ParameterName } from '../../protocol/problem';
import { Segmented } from '../../ui/controls/Choice';
import { StepSlider } from '../../ui/controls/StepSlider';
import { LogPlot } from '../../ui/plot/LogPlot';
import { formatScientific } from '../../ui/powers';
import type { Needs } from '../kit/needs';
import type { View, ViewProps } from '../kit/view';
import { CheckTable } from './CheckTable';
import { type Choice, canCheckAll, choiceOf, choiceOfCell, epsilonsOf, gradientOf, PRECISIONS } from './choice';
import { ErrorMap } from './ErrorMap';
import { LESSONS, LOSS_OPTIONS, OTHER_LOSS } from './lessons';
import { bestOf, readingAt, sweepsOf } from './readings';
import './gradient-check.css';

const PARAMETERS: readonly { readonly value: ParameterName; readonly label: string }[] = [
  { value: 'x', label: 'dx' },
  { value: 'w', label: 'dw' },
  { value: 'b', label: 'db' },
];

const PRECISION_OPTIONS = PRECISIONS.map((value) => ({ value, label: value }));
/** Below this the columns stand one below the other. */
const NARROW = 640;
/** Share of the wide room that the table and the map get. */
const GAP = 28;

export const gradientCheckView: View = {
  /** Two sweeps over the steps for one cell, then all cells at the chosen step. A slider only picks from the sweeps. */
  needs(g, state): Needs {
    const { parameter, index, loss, epsilon, precision } = choiceOf(g, state);
    const target = loss === 'linear' ? null : 'near_y';
    const check = { parameter, loss, target } as const;
    const sweeps = PRECISIONS.map((each) => ({
      ...check,
      precision: each,
      epsilons: epsilonsOf(g),
      indices: Int32Array.of(index),
    }));
    if (!canCheckAll(g, parameter)) return { gradientChecks: sweeps };
    return { gradientChecks: [...sweeps, { ...check, precision, epsilons: [epsilon], indices: 'all' }] };
  },
  Component: GradientCheck,
};

function GradientCheck({ scene, state, wanted, answers, events, onState, width }: ViewProps) {
  const { geometry: g, highlights } = scene;
  const pinned = highlights?.pinned ? highlights.cell : null;
  useEffect(() => {
    const chosen = pinned && choiceOfCell(pinned);
    if (chosen) onState(chosen);
  }, [pinned?.tensor, pinned?.index]);

  const choice = choiceOf(g, state);
  const now = choiceOf(g, wanted);
  const set = (change: Partial<Choice>) => onState(change);
  const tensor = gradientOf(choice.parameter);
  const name = cellLabel(g, { tensor: choice.parameter, index: choice.index });
  const gradient = cellLabel(g, { tensor, index: choice.index });
  const sweeps = sweepsOf(answers.gradientChecks);
  const run = answers.gradientChecks[PRECISIONS.length]?.runs[0];
  const exactZero = sweeps.some((sweep) => readingAt(sweep, choice.epsilon)?.analytic === 0);
  const field = exactZero ? 'absolute' : 'relative';
  const lesson = LESSONS[choice.loss];
  const best = sweeps.find(({ precision }) => precision === choice.precision);
  const column = width < NARROW ? width : (width - GAP) / 2;
  return (
    <div class="gradient-check">
      <div class="gradient-check__controls">
        <Segmented
          label="gradient"
          options={PARAMETERS}
          value={now.parameter}
          onChange={(parameter) => set({ parameter, index: 0 })}
        />
        <Segmented label="loss" options={LOSS_OPTIONS} value={now.loss} onChange={(loss) => set({ loss })} />
        <StepSlider
          label="step ε"
          steps={epsilonsOf(g)}
          value={now.epsilon}
          text={formatScientific(now.epsilon, 1)}
          onChange={(epsilon) => set({ epsilon })}
        />
      </div>
      {answers.error && <p class="notice notice--wrong">{answers.error.message}</p>}
      <div class="gradient-check__columns">
        <div class="gradient-check__column">
          <section>
            <h3 class="gradient-check__title">
              Nudge <i class="symbol">{name}</i> by ±{formatScientific(choice.epsilon, 1)}
            </h3>
            <p class="gradient-check__formula">{lesson.formula}</p>
            <CheckTable sweeps={sweeps} epsilon={choice.epsilon} name={name} gradient={gradient} />
            <p class="gradient-check__note">
              Pale digits are the same in both losses and cancel in the difference; the quotient lives on the others.
              {choice.loss !== 'linear' && ` ${OTHER_LOSS}`}
            </p>
          </section>
          <section>
            <div class="gradient-check__head">
              <h3 class="gradient-check__title">All of {tensor} at once</h3>
              <Segmented
                label="precision of the map"
                quiet
                options={PRECISION_OPTIONS}
                value={now.precision}
                onChange={(precision) => set({ precision })}
              />
            </div>
            {run ? (
              <ErrorMap
                scene={scene}
                events={events}
                choice={choice}
                run={run}
                best={best ? bestOf(best) : null}
                width={column - 8}
                onIndex={(index) => set({ index })}
                onEpsilon={(epsilon) => set({ epsilon })}
              />
            ) : (
              <p class="gradient-check__note">
                {tensor} is too large to be nudged cell by cell while one waits. Pin any of its cells above to check
                that one.
              </p>
            )}
          </section>
        </div>
        <section>
          <h3 class="gradient-check__title">Which step is best?</h3>
          <LogPlot
            label={`${field} error of ${gradient} over the step`}
            xLabel="step ε"
            yLabel={`${field} error`}
            series={sweeps.map(({ precision, readings }) => ({
              name: precision,
              points: readings.map((reading) => ({ x: reading.epsilon, y: reading[field] })),
            }))}
            chosen={now.epsilon}
            onChoose={(epsilon) => set({ epsilon })}
          />
          <p class="gradient-check__lesson">{lesson.text}</p>
        </section>
      </div>
    </div>
  );
}
