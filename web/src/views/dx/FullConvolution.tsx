import { useMemo } from 'preact/hooks';
import { groupOfChannel } from '../../geometry/focus';
import { cellAt } from '../../geometry/grid';
import { stepCount, stepPosition } from '../../geometry/steps';
import type { Geometry, StageName } from '../../protocol/problem';
import { Segmented } from '../../ui/controls/Choice';
import type { Area, Mark } from '../../ui/grid/marks';
import { Scrubber } from '../../ui/scrubber/Scrubber';
import { framesIn, stageIn } from '../kit/answers';
import { Badge } from '../kit/Badge';
import { differingCells } from '../kit/differing';
import { StagePanel } from '../kit/StagePanel';
import { LayoutBox, Sign } from '../kit/stage/LayoutBox';
import { region } from '../kit/stage/layout';
import { Slot } from '../kit/stage/Slot';
import type { ViewProps } from '../kit/view';
import { useDerived, useFrameOverlay, useGeometry, useViewModel, ViewModelProvider } from '../kit/view-model';
import { pendingAreas } from '../kit/walk/frame';
import { CONV_STAGES, CORRECT, chosenStage, SLIDE } from './full-conv-stages';
import '../../ui/controls/message.css';
import './dx.css';

/** The stages from dy to the full convolution; at the last one w slides over it. */
export function FullConvolution({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const { content, focus: focusSignal, userHighlights, layout: stageLayout } = useViewModel();
  const { stage, steps, unflipped } = chosenStage(g, state);
  const chosen = chosenStage(g, wanted);
  const focus = focusSignal.value;
  const [result, right] = framesIn(answers);
  const tensorOf = (name: StageName) => stageIn(answers, name);
  const kernelName = unflipped ? 'w_exchanged' : 'w_flipped';
  const [kernel, dy] = [tensorOf(kernelName), stage?.upsampled ? tensorOf(stage.upsampled) : content.value.tensors.dy];

  const sliding = stage?.id === SLIDE;
  const step = sliding && steps > 0 ? stepPosition(g, CORRECT, steps - 1) : null;
  const n = step?.n ?? focus.n;
  // While a cell is pointed at, only its outlines are drawn.
  const hasUserHighlights = useDerived(() => userHighlights.value !== null, [userHighlights]).value;
  const [row, col] = [step?.row ?? -1, step?.col ?? -1];
  const wrong = useMemo(
    () => (result ? differingCells(g, result.tensor, right?.tensor ?? null, n, focus.c) : null),
    [g, result, right, n, focus.c],
  );
  const marks = useMemo(() => {
    const own = !hasUserHighlights && row >= 0;
    return {
      window: own ? [{ tone: 'source', area: windowOn(g, row, col) } satisfies Mark] : [],
      result: [
        ...pendingAreas(g, CORRECT, steps, n).map((area): Mark => ({ tone: 'pending', area })),
        ...(wrong?.areas ?? []).map((area): Mark => ({ tone: 'wrong', area })),
      ],
    };
  }, [g, hasUserHighlights, row, col, steps, n, wrong]);
  const frameModel = useFrameOverlay({
    ...(result && sliding ? { tensors: { dx: result.tensor } } : {}),
    focus: useMemo(() => ({ ...focus, n }), [focus, n]),
    highlights: useMemo(() => {
      const cell = row < 0 ? null : cellAt(g, 'dx', { slice: n, row, col, channel: focus.c });
      return cell && { cell, pinned: true, sources: [], targets: [], term: [] };
    }, [g, row, col, n, focus.c]),
  });
  if (!stage || !kernel || !dy || !result || !wrong) return null;

  const k =
    groupOfChannel(g, focus.c) === Math.floor(focus.k / g.group_k) ? focus.k : groupOfChannel(g, focus.c) * g.group_k;
  const layout = stageLayout.value;
  return (
    <ViewModelProvider value={frameModel}>
      {stage.upsampled && (
        <StagePanel
          name={stage.upsampled}
          tensor={dy}
          slice={n}
          channel={k}
          title="dy"
          subtitle="upsampled"
          box={region(layout, 'x', sliding ? 'x' : 'w', 'forward')}
          under={sliding ? marks.window : []}
        />
      )}
      {sliding && (
        <>
          <Sign after="x" row="forward">
            ∗
          </Sign>
          <StagePanel
            name={kernelName}
            tensor={kernel}
            slice={focus.c}
            channel={k % g.group_k}
            title="w"
            subtitle={unflipped ? 'not flipped' : 'flipped 180°'}
            box={region(layout, 'w', 'w', 'forward')}
            limits={{ most: layout.cell.w }}
          />
          <Slot
            tensor="dx"
            under={marks.result}
            {...(steps < result.total ? { subtitle: `${steps} of ${result.total} steps` } : {})}
            {...(unflipped ? { label: 'wrong dx', subtitle: 'w not flipped', accent: 'var(--wrong)' } : {})}
          />
        </>
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
          {unflipped && sliding && <p class="field-message">{wrongText(wrong)}</p>}
        </div>
      </LayoutBox>
      <Slot tensor="dy" />
    </ViewModelProvider>
  );
}

const wrongText = ({ count, of }: { readonly count: number; readonly of: number }): string =>
  count > 0
    ? `Without flipping w, ${count} of ${of} cells are wrong (outlined).`
    : 'These values are symmetric, so the mistake does not show. Set dy to random, or change a cell of it.';

export function FullConvolutionPlayer({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const { onPlay } = useViewModel();
  const { stage, steps, unflipped } = chosenStage(g, state);
  const result = framesIn(answers)[0];
  if (!stage || !result) return null;
  const step = steps > 0 ? stepPosition(g, CORRECT, steps - 1) : null;
  return (
    <>
      {stage.id === SLIDE ? (
        <Scrubber
          label="steps of the full convolution"
          value={chosenStage(g, wanted).steps}
          total={stepCount(g, CORRECT)}
          row={g.w}
          sentence={
            step
              ? `Step ${steps} of ${result.total}: ${unflipped ? 'w, not flipped,' : 'the flipped w'} on the upsampled dy gives dx[${step.row},${step.col}].`
              : 'No step is done. Press Play or step forward.'
          }
          onChange={(t) => {
            onPlay();
            onState({ t });
          }}
        />
      ) : (
        <p class="player-words">{stage.sentence(g)}</p>
      )}
      <Badge comparison={answers.of('compare')[0]?.answer} algorithm="full_conv" />
    </>
  );
}

export function AboutStage({ state }: ViewProps) {
  const g = useGeometry();
  return <p>{chosenStage(g, state).stage?.sentence(g)}</p>;
}

/** The window of dx[row, col], relative to the first cell inside the padding ring of dy_inserted. */
function windowOn(g: Geometry, row: number, col: number): Area {
  return {
    row: row + g.padding.top - (g.dilated_kh - 1),
    col: col + g.padding.left - (g.dilated_kw - 1),
    rows: g.kh,
    cols: g.kw,
    rowStep: g.dilation_h,
    colStep: g.dilation_w,
  };
}
