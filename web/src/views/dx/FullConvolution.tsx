import { useEffect, useMemo } from 'preact/hooks';
import { cellAt, groupOfChannel } from '../../geometry/grid';
import { stepCount, stepPosition } from '../../geometry/steps';
import type { ViewState } from '../../look/look';
import type { Cell, Geometry } from '../../protocol/problem';
import { Button } from '../../ui/controls/Button';
import { Segmented } from '../../ui/controls/Choice';
import { differingCells, framesIn, stageIn } from '../shared/answers';
import { Equation, type Term } from '../shared/Equation';
import { StagePanel } from '../shared/StagePanel';
import { TensorPanel } from '../shared/TensorPanel';
import type { Subject } from '../shared/telling';
import {
  useDerived,
  useFrameOverlay,
  useGeometry,
  useViewModel,
  ViewModelProvider,
  type ViewProps,
} from '../shared/view-model';
import { NO_STEP, pendingMarks, StepPlayer } from '../shared/walk/StepPlayer';
import {
  CONV_STAGES,
  CORRECT,
  chosenStage,
  flipKernel,
  flipOnce,
  highlightsOfStep,
  SLIDE,
  SlideProducts,
  stepSentence,
  withWindow,
} from './full-conv-stages';
import '../../ui/controls/message.css';
import './dx.css';

/** The position and the cell of dx of the last step; null before the first one, and in the other stages. */
function stepOf(of: Subject, state: ViewState, channel: number) {
  const { geometry: g } = of;
  const { stage, steps } = chosenStage(of, state);
  if (stage?.id !== SLIDE || steps === 0) return null;
  const position = stepPosition(g, CORRECT, steps - 1);
  const { n, row, col } = position;
  const cell = cellAt(g, 'dx', { slice: n, row, col, channel });
  return cell && { position, cell };
}

/** The highlights of the step as long as it is the same. */
function useStepHighlights(g: Geometry, cell: Cell | undefined) {
  const index = cell?.index ?? null;
  return useMemo(() => (index === null ? null : highlightsOfStep(g, { tensor: 'dx', index })), [g, index]);
}

/** The stages from dy to the full convolution; at the last one w slides over it. */
export function FullConvolution({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const { content, focus: focusSignal, hiddenParts } = useViewModel();
  const { stage, steps, unflipped } = chosenStage(content.value, state);
  const chosen = chosenStage(content.value, wanted);
  const focus = focusSignal.value;
  const [result, right] = framesIn(answers);
  const kernelName = unflipped ? 'w_exchanged' : 'w_flipped';
  const kernel = stageIn(answers, kernelName);
  const dy = stage?.upsampled ? stageIn(answers, stage.upsampled) : content.value.tensors.dy;

  const sliding = stage?.id === SLIDE;
  const done = sliding ? steps : 0;
  const step = stepOf(content.value, state, focus.c);
  const n = step?.position.n ?? focus.n;
  const wrong = useMemo(
    () => (result ? differingCells(g, result.tensor, right?.tensor ?? null, n, focus.c) : null),
    [g, result, right, n, focus.c],
  );
  const isChosen = typeof state.t === 'number';
  const frameModel = useFrameOverlay({
    ...(result && sliding ? { tensors: { dx: result.tensor } } : {}),
    focus: { ...focus, n },
    highlights: useStepHighlights(g, step?.cell),
    chosen: isChosen,
  });
  const lit = useDerived(() => withWindow(g, frameModel.highlights.value, kernelName), [g, frameModel, kernelName]);
  const model = useMemo(() => ({ ...frameModel, highlights: lit }), [frameModel, lit]);
  const isReady = sliding && !unflipped && kernel !== undefined;
  useEffect(() => {
    if (isReady && isChosen) flipOnce();
  }, [isReady, isChosen]);
  if (!stage || !kernel || !dy || !result || !wrong) return null;

  const k =
    groupOfChannel(g, focus.c) === Math.floor(focus.k / g.group_k) ? focus.k : groupOfChannel(g, focus.c) * g.group_k;
  const onDy = { tensor: dy, slice: n, channel: k };
  const ofKernel = { name: kernelName, tensor: kernel, slice: focus.c, channel: k % g.group_k } as const;
  const dx: Term = {
    name: 'dx',
    sign: sliding ? '=' : '→',
    panel: (size) => (
      <TensorPanel
        tensor="dx"
        size={size}
        under={[...pendingMarks(g, CORRECT, done, n), ...wrong.marks]}
        {...(done < result.total ? { subtitle: `${done} of ${result.total} steps` } : {})}
        {...(unflipped ? { label: 'wrong dx', subtitle: 'w not flipped', accent: 'var(--wrong)' } : {})}
      />
    ),
  };
  const given: Term = { name: 'dy', panel: (size) => <TensorPanel tensor="dy" size={size} /> };
  const { upsampled: name } = stage;
  const upsampled: Term = {
    name: name ?? 'dy',
    ...(sliding ? { origin: 'dy' } : { sign: '→' }),
    panel: (size) =>
      name && (
        <StagePanel
          {...onDy}
          name={name}
          title="dy"
          subtitle={sliding ? 'padded' : 'upsampled'}
          fit={size}
          around={
            sliding
              ? (grid) => (
                  <div class="slide">
                    {grid}
                    <SlideProducts geometry={g} lit={lit} dy={onDy} kernel={ofKernel} size={size} />
                  </div>
                )
              : undefined
          }
        />
      ),
  };
  const flipped: Term = {
    name: kernelName,
    sign: '∗',
    origin: 'w',
    panel: (size) => <StagePanel {...ofKernel} title="w" subtitle={unflipped ? 'not flipped' : 'flipped'} fit={size} />,
  };
  // A step of a lesson has its stage.
  const isGiven = hiddenParts.value.includes('mode.dx');
  return (
    <ViewModelProvider value={model}>
      <Equation terms={sliding ? [upsampled, flipped, dx] : [given, name ? upsampled : dx]}>
        {!isGiven && (
          <Segmented
            label="stage"
            quiet
            options={CONV_STAGES.map(({ id, label }) => ({ value: id, label }))}
            value={chosen.stage?.id ?? SLIDE}
            onChange={(id) => onState({ stage: id })}
          />
        )}
        {isReady && <Button onClick={flipKernel}>Flip w</Button>}
        {unflipped && sliding && (
          <p class="field-message">{wrongText(wrong.count, Math.min(wrong.of, done - n * wrong.of), wrong.of)}</p>
        )}
      </Equation>
    </ViewModelProvider>
  );
}

/** `done`: the cells of the plane that have a value. */
export const wrongText = (count: number, done: number, of: number): string =>
  count > 0
    ? `Without flipping w, ${count} of ${done} cells ${done < of ? 'so far ' : ''}are wrong (outlined).`
    : 'These values are symmetric, so the mistake does not show. Set dy to random, or change a cell of it.';

export function FullConvolutionPlayer({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const { content, focus } = useViewModel();
  const { stage, steps, unflipped } = chosenStage(content.value, state);
  const step = stepOf(content.value, state, focus.value.c);
  const highlights = useStepHighlights(g, step?.cell);
  const result = framesIn(answers)[0];
  if (!stage || !result) return null;
  const { total } = result;
  if (stage.id !== SLIDE) return <p class="player-words small">{stage.sentence(g)}</p>;
  return (
    <StepPlayer
      label="steps of the full convolution"
      value={chosenStage(content.value, wanted).steps}
      total={stepCount(g, CORRECT)}
      row={g.w}
      highlights={highlights}
      sentence={step ? stepSentence(g, step.position, step.cell, { steps, total, unflipped }) : NO_STEP}
      onSteps={(t) => onState({ t })}
    />
  );
}
