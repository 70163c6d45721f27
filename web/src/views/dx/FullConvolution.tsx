import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { cellAt, gridOf, groupOfChannel } from '../../geometry/grid';
import { stepCount, stepPosition } from '../../geometry/steps';
import type { ViewState } from '../../look/look';
import type { Cell, Geometry } from '../../protocol/problem';
import { Button } from '../../ui/controls/Button';
import { Segmented } from '../../ui/controls/Choice';
import { differingCells, framesIn, stageIn } from '../shared/answers';
import { AROUND, LARGEST, largest, showsValues } from '../shared/fit';
import { fitGrid, sideOf } from '../shared/fit-grid';
import { pendingMarks } from '../shared/plane';
import { StagePanel } from '../shared/StagePanel';
import { LayoutBox, Sign } from '../shared/stage/LayoutBox';
import { region, type StageLayout } from '../shared/stage/layout';
import { TensorPanel, TensorSlot } from '../shared/TensorPanel';
import {
  useDerived,
  useFrameOverlay,
  useGeometry,
  useViewModel,
  ViewModelProvider,
  type ViewProps,
} from '../shared/view-model';
import { NO_STEP, StepPlayer } from '../shared/walk/StepPlayer';
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
function stepOf(g: Geometry, state: ViewState, channel: number) {
  const { stage, steps } = chosenStage(g, state);
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
  const { content, focus: focusSignal, layout: stageLayout } = useViewModel();
  const { stage, steps, unflipped } = chosenStage(g, state);
  const chosen = chosenStage(g, wanted);
  const focus = focusSignal.value;
  const [result, right] = framesIn(answers);
  const kernelName = unflipped ? 'w_exchanged' : 'w_flipped';
  const kernel = stageIn(answers, kernelName);
  const dy = stage?.upsampled ? stageIn(answers, stage.upsampled) : content.value.tensors.dy;

  const sliding = stage?.id === SLIDE;
  const done = sliding ? steps : 0;
  const step = stepOf(g, state, focus.c);
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
  const layout = stageLayout.value;
  const paired = sliding ? pairIn(g, layout) : null;
  const boxOfDy = region(layout, 'x', sliding ? 'x' : 'w', 'forward');
  const { row, col } = gridOf(g, 'dy_inserted').size;
  // w is as large as its window on dy; a map of dy has smaller cells.
  const cellOfDy = layout.arrangement === 'stage' ? sideOf(fitGrid(boxOfDy, row, col), col) : 0;
  const onDy = { tensor: dy, slice: n, channel: k };
  const kernelCell = showsValues(row, col, cellOfDy) ? Math.min(layout.cell.w, cellOfDy) : layout.cell.w;
  const ofKernel = { name: kernelName, tensor: kernel, slice: focus.c, channel: k % g.group_k } as const;
  const withProducts = (grid: ComponentChildren, size: number) => (
    <div class="slide">
      {grid}
      <SlideProducts geometry={g} lit={lit} dy={onDy} kernel={ofKernel} size={size} />
    </div>
  );
  const padded = stage.upsampled && (
    <StagePanel
      {...onDy}
      name={stage.upsampled}
      title="dy"
      subtitle={sliding ? 'padded' : 'upsampled'}
      box={paired ? undefined : boxOfDy}
      fit={paired?.cell}
      around={sliding ? withProducts : undefined}
    />
  );
  const flipped = sliding && (
    <StagePanel
      {...ofKernel}
      title="w"
      subtitle={unflipped ? 'not flipped' : paired ? 'flipped' : 'flipped 180°'}
      box={paired ? undefined : region(layout, 'w', 'w', 'forward')}
      fit={paired?.cell}
      limits={{ most: kernelCell }}
    />
  );
  return (
    <ViewModelProvider value={model}>
      {paired === null ? (
        <>
          {padded}
          {flipped && <Sign after="x" row="forward" sign="∗" />}
          {flipped}
        </>
      ) : (
        <div class="dx-pair grid loose" style={{ gridTemplateColumns: paired.columns }}>
          {padded}
          {flipped}
        </div>
      )}
      {(sliding || layout.arrangement === 'stage') && (
        <TensorSlot
          tensor="dx"
          under={[...pendingMarks(g, CORRECT, done, n), ...wrong.marks]}
          {...(done < result.total ? { subtitle: `${done} of ${result.total} steps` } : {})}
          {...(unflipped ? { label: 'wrong dx', subtitle: 'w not flipped', accent: 'var(--wrong)' } : {})}
        />
      )}
      <LayoutBox box={region(layout, 'y', 'y', 'forward')} scrolls>
        <div class="dx-stages">
          <Segmented
            label="stage"
            quiet
            options={CONV_STAGES.map(({ id, label }) => ({ value: id, label }))}
            value={chosen.stage?.id ?? SLIDE}
            onChange={(id) => onState({ stage: id })}
          />
          {isReady && <Button onClick={flipKernel}>Flip w</Button>}
          {unflipped && sliding && (
            <p class="field-message">{wrongText(wrong.count, Math.min(wrong.of, done - n * wrong.of), wrong.of)}</p>
          )}
        </div>
      </LayoutBox>
      {layout.arrangement === 'stage' && (
        <LayoutBox box={region(layout, 'w', 'w', 'backward')}>
          <TensorPanel tensor="w" size={kernelCell} />
        </LayoutBox>
      )}
      <TensorSlot tensor="dy" />
    </ViewModelProvider>
  );
}

/** Gap of the pair, and the least width of a panel for its title, in CSS pixels. */
const PAIR_GAP = 12;
const PAIR_TITLE = 118;

/** In a stack: cells with which the padded dy and w are side by side; null: they do not fit, or there is room for boxes. */
function pairIn(g: Geometry, { arrangement, width }: StageLayout) {
  if (arrangement === 'stage') return null;
  const { row, col } = gridOf(g, 'dy_inserted').size;
  const wide = (cols: number, cell: number) => Math.max(PAIR_TITLE, cols * cell) + AROUND.frame;
  const cell = largest(LARGEST, (size) => wide(col, size) + PAIR_GAP + wide(g.kw, size) <= width);
  if (!showsValues(row, col, cell)) return null;
  return { cell, columns: `${wide(col, cell)}px ${wide(g.kw, cell)}px` };
}

/** `done`: the cells of the plane that have a value. */
export const wrongText = (count: number, done: number, of: number): string =>
  count > 0
    ? `Without flipping w, ${count} of ${done} cells ${done < of ? 'so far ' : ''}are wrong (outlined).`
    : 'These values are symmetric, so the mistake does not show. Set dy to random, or change a cell of it.';

export function FullConvolutionPlayer({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const { focus } = useViewModel();
  const { stage, steps, unflipped } = chosenStage(g, state);
  const step = stepOf(g, state, focus.value.c);
  const highlights = useStepHighlights(g, step?.cell);
  const result = framesIn(answers)[0];
  if (!stage || !result) return null;
  const { total } = result;
  if (stage.id !== SLIDE) return <p class="player-words small">{stage.sentence(g)}</p>;
  return (
    <StepPlayer
      label="steps of the full convolution"
      value={chosenStage(g, wanted).steps}
      total={stepCount(g, CORRECT)}
      row={g.w}
      highlights={highlights}
      sentence={step ? stepSentence(g, step.position, step.cell, { steps, total, unflipped }) : NO_STEP}
      onSteps={(t) => onState({ t })}
    />
  );
}
