import { groupOfFilter } from '../../geometry/focus';
import { gridOf } from '../../geometry/grid';
import { stepCount, stepPosition } from '../../geometry/steps';
import type { Geometry } from '../../protocol/problem';
import type { Mark } from '../../ui/grid/marks';
import { oneCell } from '../../ui/grid/marks';
import { Scrubber } from '../../ui/scrubber/Scrubber';
import { layoutBoard } from '../kit/board-layout';
import { cellSize } from '../kit/cell-size';
import { StagePanel } from '../kit/StagePanel';
import type { Scene } from '../kit/scene';
import { useSpeaker } from '../kit/speaker';
import { TensorPanel } from '../kit/TensorPanel';
import type { ViewProps } from '../kit/view';
import { cellsUnder, ghostSentence, ghosts, pendingStops, stopsOf } from './stops';

/** dy, spread by the stride, slides over x; each stop is one cell of dw. */
export function DilatedDy({ scene, wanted, answers, events, onState, width }: ViewProps) {
  const { highlights, onScrub } = useSpeaker(scene.highlights);
  const { geometry: g, focus, transfer } = scene;
  const partial = answers.details?.partials[0];
  const dy = answers.details?.stages[0]?.tensor;
  if (!partial || !dy) return null;

  const { steps } = partial;
  const step = steps > 0 ? stepPosition(g, 'dw_dilated_dy', steps - 1) : null;
  const frame = highlights ? null : step;
  const size = sizeFor(g, width);
  const board = layoutBoard(g, width, 0);
  const picture: Scene = {
    ...scene,
    highlights,
    layout: { ...board, arrangement: 'stack', cell: { x: size, w: size, y: size, b: size } },
  };
  const under: Mark[] = frame ? [{ tone: 'source', area: cellsUnder(g, frame.row, frame.col) }] : [];
  const here: Mark[] = frame ? [{ tone: 'focus', area: oneCell(frame.row, frame.col) }] : [];
  const common = { geometry: g, transfer, events, size, highlights };
  return (
    <>
      <p class="steps__idea">
        {exchangeSentence(g)} {ghostSentence(g)}
      </p>
      <Scrubber
        label="stops of dy on x"
        value={stopsOf(g, wanted)}
        total={stepCount(g, 'dw_dilated_dy')}
        row={gridOf(g, 'dw_uncropped').size.col}
        sentence={
          step
            ? stopSentence(g, step.row, step.col, steps, partial.total)
            : 'Nothing is done yet. Press play, or step forward.'
        }
        onChange={(t) => {
          onScrub();
          onState({ t });
        }}
      />
      <div class="steps__row">
        <TensorPanel tensor="x" scene={picture} events={events} place="dw ways" under={under} />
        <div class="dw-ways__term">
          <span class="row__sign" aria-hidden="true">
            ∗
          </span>
          <StagePanel
            {...common}
            name="dy_spread"
            tensor={dy}
            slice={focus.n}
            channel={focus.k}
            title="dy"
            subtitle={SPREAD}
            label="dy_spread, dw ways"
            accent="var(--id-y)"
          />
        </div>
        <div class="dw-ways__term">
          <span class="row__sign" aria-hidden="true">
            =
          </span>
          <StagePanel
            {...common}
            name="dw_uncropped"
            tensor={partial.tensor}
            slice={focus.k}
            channel={focus.c - groupOfFilter(g, focus.k) * g.group_c}
            title="dw"
            subtitle={`${steps} of ${partial.total} stops`}
            label="dw_uncropped, dw ways"
            accent="var(--id-w)"
            under={[...pendingStops(g, steps), ...ghosts(g), ...here]}
          />
        </div>
      </div>
    </>
  );
}

export function sizeFor(g: Geometry, width: number): number {
  const x = g.w + g.padding.left + g.padding.right;
  return cellSize([x, gridOf(g, 'dy_spread').size.col, gridOf(g, 'dw_uncropped').size.col], width);
}

export const SPREAD = 'as the kernel';

function exchangeSentence(g: Geometry): string {
  const pair = (a: number, b: number) => (a === b ? String(a) : `${a} × ${b}`);
  const stride = pair(g.stride_h, g.stride_w);
  const dilation = pair(g.dilation_h, g.dilation_w);
  const spread =
    stride === '1'
      ? 'The stride is 1: dy stays as it is'
      : `The stride ${stride} becomes the dilation of dy (hatched zeros)`;
  return `${spread}; the dilation ${dilation} becomes the step from stop to stop.`;
}

function stopSentence(g: Geometry, row: number, col: number, steps: number, total: number): string {
  const name = `Stop ${steps} of ${total}`;
  const batch = g.n > 1 ? `, over all ${g.n} images` : '';
  if (row >= g.kh || col >= g.kw)
    return `${name}: past the kernel. This number is no weight’s gradient and is cropped.`;
  return `${name}: dy times the outlined cells of x, added up${batch}, is dw[${row},${col}].`;
}
