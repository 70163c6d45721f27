import { useMemo } from 'preact/hooks';
import { groupOfFilter } from '../../geometry/focus';
import { gridOf } from '../../geometry/grid';
import { stepCount, stepPosition } from '../../geometry/steps';
import type { Geometry } from '../../protocol/problem';
import type { Mark } from '../../ui/grid/marks';
import { oneCell } from '../../ui/grid/marks';
import { Scrubber } from '../../ui/scrubber/Scrubber';
import { framesIn, stageIn } from '../kit/answers';
import { useDerived, useGeometry, usePicture } from '../kit/picture';
import { StagePanel } from '../kit/StagePanel';
import { region } from '../kit/stage/layout';
import { Sign } from '../kit/stage/Place';
import { Slot } from '../kit/stage/Slot';
import type { ViewProps } from '../kit/view';
import { cellsUnder, ghosts, pendingStops, stopsOf } from './stops';

/** dy, spread by the stride, slides over x; each stop is one cell of dw. */
export function DilatedDy({ answers }: ViewProps) {
  const g = useGeometry();
  const { focus: looked, spoken, layout: stageLayout } = usePicture();
  const partial = framesIn(answers)[0];
  const dy = stageIn(answers, 'dy_spread');
  const steps = partial?.steps ?? 0;
  const pointing = useDerived(() => spoken.value !== null, [spoken]).value;
  const marks = useMemo(() => {
    const step = steps > 0 && !pointing ? stepPosition(g, 'dw_dilated_dy', steps - 1) : null;
    return {
      x: step ? [{ tone: 'source', area: cellsUnder(g, step.row, step.col) } satisfies Mark] : [],
      dw: [
        ...pendingStops(g, steps),
        ...ghosts(g),
        ...(step ? [{ tone: 'focus', area: oneCell(step.row, step.col) } satisfies Mark] : []),
      ],
    };
  }, [g, steps, pointing]);
  if (!partial || !dy) return null;

  const layout = stageLayout.value;
  const focus = looked.value;
  return (
    <>
      <Slot tensor="x" under={marks.x} />
      <Sign after="x" row="forward">
        ∗
      </Sign>
      <SpreadDy tensor={dy} />
      <StagePanel
        name="dw_uncropped"
        tensor={partial.tensor}
        slice={focus.k}
        channel={focus.c - groupOfFilter(g, focus.k) * g.group_c}
        title="dw"
        subtitle={`${steps} of ${partial.total} stops`}
        accent="var(--id-w)"
        box={region(layout, 'x', 'x', 'backward')}
        under={marks.dw}
      />
      <Sign after="x" row="backward">
        →
      </Sign>
      <Slot tensor="dw" subtitle="cropped" />
      <Slot tensor="dy" />
    </>
  );
}

/** dy as a kernel, where w and y stand in other modes. */
export function SpreadDy({ tensor }: { readonly tensor: Parameters<typeof StagePanel>[0]['tensor'] }) {
  const { focus, layout } = usePicture();
  return (
    <StagePanel
      name="dy_spread"
      tensor={tensor}
      slice={focus.value.n}
      channel={focus.value.k}
      title="dy"
      subtitle="as the kernel"
      accent="var(--id-y)"
      box={region(layout.value, 'w', 'y', 'forward')}
      most={layout.value.cell.x}
    />
  );
}

export function DilatedDyPlayer({ wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const { onPlay } = usePicture();
  const partial = framesIn(answers)[0];
  if (!partial) return null;
  const { steps, total } = partial;
  const step = steps > 0 ? stepPosition(g, 'dw_dilated_dy', steps - 1) : null;
  return (
    <Scrubber
      label="stops of dy on x"
      value={stopsOf(g, wanted)}
      total={stepCount(g, 'dw_dilated_dy')}
      row={gridOf(g, 'dw_uncropped').size.col}
      sentence={
        step ? stopSentence(g, step.row, step.col, steps, total) : 'Nothing is done yet. Press play, or step forward.'
      }
      onChange={(t) => {
        onPlay();
        onState({ t });
      }}
    />
  );
}

export function exchangeSentence(g: Geometry): string {
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
