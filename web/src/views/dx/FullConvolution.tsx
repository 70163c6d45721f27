import { groupOfChannel } from '../../geometry/focus';
import { stepCount, stepPosition } from '../../geometry/steps';
import type { Geometry, StageName } from '../../protocol/problem';
import { Checkbox, Segmented } from '../../ui/controls/Choice';
import type { Area, Mark } from '../../ui/grid/marks';
import { oneCell } from '../../ui/grid/marks';
import { Scrubber } from '../../ui/scrubber/Scrubber';
import { differingCells } from '../kit/differing';
import { StagePanel } from '../kit/StagePanel';

import { useSpeaker } from '../kit/speaker';
import type { ViewProps } from '../kit/view';
import { pendingAreas } from '../kit/walk/frame';
import { CONV_STAGES, chosenStage, RIGHT, SLIDE } from './full-conv-stages';

const LARGEST = 38;
/** Two digits fit from here; below SMALLEST a cell is a dot of a map, and whole pixels no longer matter. */
const LEAST = 24;
const SMALLEST = 15;
/** Room for the title of the kernel, for signs and gaps, and for the frame of a grid, in CSS pixels. */
const TITLE = 150;
const BETWEEN = 150;
const FRAME = 8;

/** dy on its way to the full convolution, stage by stage; at the last one w slides over it. */
export function FullConvolution({ scene, state, wanted, answers, events, onState, width }: ViewProps) {
  const { geometry: g, focus, transfer } = scene;
  const { stage, steps, unturned } = chosenStage(g, state);
  const hand = chosenStage(g, wanted);
  const { highlights, onScrub } = useSpeaker(scene.highlights);
  const details = answers.details;
  const [result, right] = details?.partials ?? [];
  const tensorOf = (name: StageName) => details?.stages.find((entry) => entry.stage === name)?.tensor;
  const kernelName = unturned ? 'w_exchanged' : 'w_turned';
  const [kernel, dy] = [tensorOf(kernelName), stage?.spread ? tensorOf(stage.spread) : scene.tensors.dy];
  if (!stage || !kernel || !dy || !result) return null;

  const sliding = stage.id === SLIDE;
  const step = sliding && steps > 0 ? stepPosition(g, RIGHT, steps - 1) : null;
  const n = step?.n ?? focus.n;
  const k =
    groupOfChannel(g, focus.c) === Math.floor(focus.k / g.group_k) ? focus.k : groupOfChannel(g, focus.c) * g.group_k;
  const wrong = differingCells(g, result.tensor, right?.tensor ?? null, n, focus.c);
  const common = { geometry: g, transfer, events, size: cellSize(g, width), highlights };
  const window: Mark[] = step && !highlights ? [{ tone: 'source', area: windowOn(g, step.row, step.col) }] : [];
  const here: Mark[] = step && !highlights ? [{ tone: 'focus', area: oneCell(step.row, step.col) }] : [];
  const pending = pendingAreas(g, RIGHT, steps, n).map((area): Mark => ({ tone: 'pending', area }));
  return (
    <>
      <div class="four-ways__controls">
        <Segmented
          label="stage"
          quiet
          options={CONV_STAGES.map(({ id, label }) => ({ value: id, label }))}
          value={hand.stage?.id ?? SLIDE}
          onChange={(id) => onState({ stage: id })}
        />
        <Checkbox
          label="skip the turn of w"
          checked={hand.unturned}
          onChange={(on) => onState({ unturned: on, stage: SLIDE })}
        />
      </div>
      {sliding ? (
        <Scrubber
          label="stops of the full convolution"
          value={hand.steps}
          total={stepCount(g, RIGHT)}
          row={g.w}
          sentence={
            step
              ? `Stop ${steps} of ${result.total}: ${unturned ? 'w, not turned,' : 'the turned w'} lies on its window of the spread dy and makes dx[${step.row},${step.col}].`
              : 'Nothing is done yet. Press play, or step forward.'
          }
          onChange={(t) => {
            onScrub();
            onState({ t });
          }}
        />
      ) : (
        <p class="steps__idea">{stage.sentence(g)}</p>
      )}
      {unturned && sliding && (
        <p class="four-ways__wrong">
          {wrong.count > 0
            ? `Without the turn ${wrong.count} of ${wrong.of} cells are wrong (outlined): each hears its neighbours from the wrong side.`
            : 'With these numbers the mistake does not show, by symmetry. Set dy to random, or change a cell of it, and it will.'}
        </p>
      )}
      <div class="steps__row">
        <StagePanel
          {...common}
          name={stage.spread ?? 'dy'}
          tensor={dy}
          slice={n}
          channel={k}
          title="dy"
          subtitle={stage.spread ? 'spread out' : 'upstream'}
          label={`${stage.spread ?? 'dy'}, four ways`}
          accent="var(--id-y)"
          under={window}
        />
        {sliding && (
          <>
            <span class="row__sign" aria-hidden="true">
              ∗
            </span>
            <StagePanel
              {...common}
              name={kernelName}
              tensor={kernel}
              slice={focus.c}
              channel={k % g.group_k}
              title="w"
              subtitle={unturned ? 'not turned' : 'turned 180°'}
              label={`${kernelName}, four ways`}
              accent="var(--id-w)"
            />
            <span class="row__sign" aria-hidden="true">
              =
            </span>
            <div class={unturned ? 'four-ways__result four-ways__result--wrong' : 'four-ways__result'}>
              <StagePanel
                {...common}
                name="dx"
                tensor={result.tensor}
                slice={n}
                channel={focus.c}
                title="dx"
                subtitle={unturned ? 'not the gradient' : 'gradient of x'}
                label={unturned ? 'wrong dx, four ways' : 'dx, four ways'}
                accent={unturned ? 'var(--wrong)' : 'var(--id-x)'}
                under={[...pending, ...wrong.areas.map((area): Mark => ({ tone: 'wrong', area })), ...here]}
              />
            </div>
          </>
        )}
      </div>
    </>
  );
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

/** Cells for which dy_inserted, w and dx fit the room side by side, or where that is too small, dy_inserted alone. */
function cellSize(g: Geometry, width: number): number {
  const inserted = g.w + g.padding.left + g.padding.right + g.dilated_kw - 1;
  const together = (width - Math.max(TITLE, g.kw * LEAST) - BETWEEN) / (inserted + g.w);
  const size = Math.min(LARGEST, together >= LEAST ? together : (width - FRAME) / inserted);
  return size >= SMALLEST ? Math.floor(size) : size;
}
