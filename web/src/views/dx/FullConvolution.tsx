import { useMemo } from 'preact/hooks';
import { groupOfChannel } from '../../geometry/focus';
import { stepCount, stepPosition } from '../../geometry/steps';
import type { Geometry, StageName } from '../../protocol/problem';
import { Segmented } from '../../ui/controls/Choice';
import type { Area, Mark } from '../../ui/grid/marks';
import { oneCell } from '../../ui/grid/marks';
import { Scrubber } from '../../ui/scrubber/Scrubber';
import { framesIn, stageIn } from '../kit/answers';
import { Badge } from '../kit/Badge';
import { differingCells } from '../kit/differing';
import { PictureProvider, useDerived, useFramed, useGeometry, usePicture } from '../kit/picture';
import { StagePanel } from '../kit/StagePanel';
import { region } from '../kit/stage/layout';
import { Place, Sign } from '../kit/stage/Place';
import { Slot } from '../kit/stage/Slot';
import type { ViewProps } from '../kit/view';
import { pendingAreas } from '../kit/walk/frame';
import { CONV_STAGES, chosenStage, RIGHT, SLIDE } from './full-conv-stages';
import './dx.css';

/** dy on its way to the full convolution, stage by stage; at the last one w slides over it. */
export function FullConvolution({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const { content, focus: looked, spoken, layout: stageLayout } = usePicture();
  const { stage, steps, unturned } = chosenStage(g, state);
  const hand = chosenStage(g, wanted);
  const focus = looked.value;
  const [result, right] = framesIn(answers);
  const tensorOf = (name: StageName) => stageIn(answers, name);
  const kernelName = unturned ? 'w_exchanged' : 'w_turned';
  const [kernel, dy] = [tensorOf(kernelName), stage?.spread ? tensorOf(stage.spread) : content.value.tensors.dy];

  const sliding = stage?.id === SLIDE;
  const step = sliding && steps > 0 ? stepPosition(g, RIGHT, steps - 1) : null;
  const n = step?.n ?? focus.n;
  // Who points at a cell asks about that: the frame's own outlines stand back.
  const quiet = useDerived(() => spoken.value !== null, [spoken]).value;
  const [row, col] = [step?.row ?? -1, step?.col ?? -1];
  const wrong = useMemo(
    () => (result ? differingCells(g, result.tensor, right?.tensor ?? null, n, focus.c) : null),
    [g, result, right, n, focus.c],
  );
  const marks = useMemo(() => {
    const own = !quiet && row >= 0;
    return {
      window: own ? [{ tone: 'source', area: windowOn(g, row, col) } satisfies Mark] : [],
      result: [
        ...pendingAreas(g, RIGHT, steps, n).map((area): Mark => ({ tone: 'pending', area })),
        ...(wrong?.areas ?? []).map((area): Mark => ({ tone: 'wrong', area })),
        ...(own ? [{ tone: 'focus', area: oneCell(row, col) } satisfies Mark] : []),
      ],
    };
  }, [g, quiet, row, col, steps, n, wrong]);
  const framed = useFramed({
    ...(result && sliding ? { tensors: { dx: result.tensor } } : {}),
    focus: useMemo(() => ({ ...focus, n }), [focus, n]),
  });
  if (!stage || !kernel || !dy || !result || !wrong) return null;

  const k =
    groupOfChannel(g, focus.c) === Math.floor(focus.k / g.group_k) ? focus.k : groupOfChannel(g, focus.c) * g.group_k;
  const layout = stageLayout.value;
  return (
    <PictureProvider value={framed}>
      {stage.spread && (
        <StagePanel
          name={stage.spread}
          tensor={dy}
          slice={n}
          channel={k}
          title="dy"
          subtitle="spread out"
          box={region(layout, 'x', sliding ? 'w' : 'y', 'forward')}
          under={sliding ? marks.window : []}
        />
      )}
      {sliding && (
        <>
          <Sign after="w" row="forward">
            ∗
          </Sign>
          <StagePanel
            name={kernelName}
            tensor={kernel}
            slice={focus.c}
            channel={k % g.group_k}
            title="w"
            subtitle={unturned ? 'not turned' : 'turned 180°'}
            box={region(layout, 'y', 'y', 'forward')}
            most={layout.cell.w}
          />
          <Slot
            tensor="dx"
            under={marks.result}
            {...(steps < result.total ? { subtitle: `${steps} of ${result.total} stops` } : {})}
            {...(unturned ? { label: 'wrong dx', subtitle: 'not the gradient', accent: 'var(--wrong)' } : {})}
          />
        </>
      )}
      <Place box={region(layout, 'w', 'w', 'backward')} scrolls>
        <div class="dx-stages">
          <Segmented
            label="stage"
            quiet
            options={CONV_STAGES.map(({ id, label }) => ({ value: id, label }))}
            value={hand.stage?.id ?? SLIDE}
            onChange={(id) => onState({ stage: id })}
          />
          {unturned && sliding && <p class="dx-stages__wrong">{wrongText(wrong)}</p>}
        </div>
      </Place>
      <Slot tensor="dy" />
    </PictureProvider>
  );
}

const wrongText = ({ count, of }: { readonly count: number; readonly of: number }): string =>
  count > 0
    ? `Without the turn ${count} of ${of} cells are wrong (outlined): each hears its neighbours from the wrong side.`
    : 'With these numbers the mistake does not show, by symmetry. Set dy to random, or change a cell of it, and it will.';

export function FullConvolutionPlayer({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const { onPlay } = usePicture();
  const { stage, steps, unturned } = chosenStage(g, state);
  const result = framesIn(answers)[0];
  if (!stage || !result) return null;
  const step = steps > 0 ? stepPosition(g, RIGHT, steps - 1) : null;
  return (
    <>
      {stage.id === SLIDE ? (
        <Scrubber
          label="stops of the full convolution"
          value={chosenStage(g, wanted).steps}
          total={stepCount(g, RIGHT)}
          row={g.w}
          sentence={
            step
              ? `Stop ${steps} of ${result.total}: ${unturned ? 'w, not turned,' : 'the turned w'} lies on its window of the spread dy and makes dx[${step.row},${step.col}].`
              : 'Nothing is done yet. Press play, or step forward.'
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

/** The window that makes dx[row, col], counted from the first cell inside the ring of dy_inserted. */
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
