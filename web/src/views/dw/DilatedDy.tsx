import { useMemo } from 'preact/hooks';
import { single, upTo } from '../../geometry/axis';
import { type Focus, groupOfFilter } from '../../geometry/focus';
import { cellAt, gridOf, positionOf } from '../../geometry/grid';
import { weightLabel } from '../../geometry/labels';
import { sourcesOf } from '../../geometry/links';
import { box } from '../../geometry/region';
import { stepCount, stepPosition } from '../../geometry/steps';
import type { ViewState } from '../../look/look';
import type { Highlights } from '../../look/look-store';
import type { Geometry, Tensor } from '../../protocol/problem';
import type { Mark } from '../../ui/grid/marks';
import { counted } from '../../ui/quantities';
import { framesIn, stageIn } from '../kit/answers';
import { areasAfter, block, marked, stepHighlights } from '../kit/marks';
import { StagePanel } from '../kit/StagePanel';
import { Sign } from '../kit/stage/LayoutBox';
import { region } from '../kit/stage/layout';
import { TensorSlot } from '../kit/stage/Tensors';
import type { ViewProps } from '../kit/view';
import { useDerived, useFrameOverlay, useGeometry, useViewModel, ViewModelProvider } from '../kit/view-model';
import { chosenSteps } from '../kit/walk/chosen-steps';
import { NO_STEP } from '../kit/walk/frame';
import { StepPlayer } from '../kit/walk/StepPlayer';

const PROCESS = 'dw_dilated_dy';

/** dy, upsampled by the stride, slides over x; each position is one cell of dw. */
export function DilatedDy({ answers, state }: ViewProps) {
  const g = useGeometry();
  const { focus: focusSignal, layout: stageLayout } = useViewModel();
  const partial = framesIn(answers)[0];
  const dy = stageIn(answers, 'dy_upsampled');
  const steps = partial?.steps ?? 0;
  const pending = useMemo(() => {
    const { row, col } = gridOf(g, 'dw_uncropped').size;
    return [...marked('pending', areasAfter(steps, row, col)), ...croppedPositions(g)];
  }, [g, steps]);
  const current = focusSignal.value;
  const frameModel = useFrameOverlay({
    highlights: useMemo(() => highlightsOfStep(g, steps, current), [g, steps, current]),
    chosen: typeof state.t === 'number',
  });
  const lit = useDerived(() => withCellsUnder(g, frameModel.highlights.value), [g, frameModel]);
  const model = useMemo(() => ({ ...frameModel, highlights: lit }), [frameModel, lit]);
  if (!partial || !dy) return null;

  const layout = stageLayout.value;
  const focus = focusSignal.value;
  return (
    <ViewModelProvider value={model}>
      <XWithDy dy={dy} />
      <StagePanel
        name="dw_uncropped"
        tensor={partial.tensor}
        slice={focus.k}
        channel={focus.c - groupOfFilter(g, focus.k) * g.group_c}
        title="dw"
        subtitle={`${steps} of ${partial.total} steps`}
        accent="var(--id-w)"
        box={region(layout, 'x', 'x', 'backward')}
        limits={{ most: layout.cell.w }}
        under={pending}
      />
      <Sign after="x" row="backward" sign="→" />
      <TensorSlot tensor="dw" subtitle={hasCroppedPositions(g) ? 'cropped' : 'after all steps'} />
      <TensorSlot tensor="dy" />
    </ViewModelProvider>
  );
}

/** The cell of dw that a step computes; past the kernel, the cell of the uncropped dw. */
function highlightsOfStep(g: Geometry, steps: number, { c, k }: Focus): Highlights | null {
  if (steps === 0) return null;
  const { row, col } = stepPosition(g, PROCESS, steps - 1);
  const at = { slice: k, row, col, channel: c - groupOfFilter(g, k) * g.group_c };
  const cell = cellAt(g, 'dw', at) ?? cellAt(g, 'dw_uncropped', at);
  return cell && stepHighlights(cell, sourcesOf(g, cell));
}

/** The highlights with the cells of x under dy for a cell of dw, also those in the padding. */
function withCellsUnder(g: Geometry, lit: Highlights | null): Highlights | null {
  if (lit?.cell.tensor !== 'dw' && lit?.cell.tensor !== 'dw_uncropped') return lit;
  const { slice, row, col, channel } = positionOf(g, lit.cell);
  const under = box(g, 'x_padded', {
    slice: upTo(g.n),
    row: { first: row * g.dilation_h, step: g.stride_h, count: g.oh },
    col: { first: col * g.dilation_w, step: g.stride_w, count: g.ow },
    channel: single(groupOfFilter(g, slice) * g.group_c + channel),
  });
  return under ? { ...lit, sources: [...lit.sources, under] } : lit;
}

/** x ∗ dy: dy as a kernel, in the place of w and y. */
export function XWithDy({ dy }: { readonly dy: Tensor }) {
  const { focus, layout } = useViewModel();
  return (
    <>
      <TensorSlot tensor="x" />
      <Sign after="x" row="forward" sign="∗" />
      <StagePanel
        name="dy_upsampled"
        tensor={dy}
        slice={focus.value.n}
        channel={focus.value.k}
        title="dy"
        subtitle="as the kernel"
        accent="var(--id-y)"
        box={region(layout.value, 'w', 'y', 'forward')}
        limits={{ most: layout.value.cell.x }}
      />
    </>
  );
}

export function DilatedDyPlayer({ wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const focus = useViewModel().focus.value;
  const partial = framesIn(answers)[0];
  const steps = partial?.steps ?? 0;
  const highlights = useMemo(() => highlightsOfStep(g, steps, focus), [g, steps, focus]);
  if (!partial) return null;
  const { total } = partial;
  const step = steps > 0 ? stepPosition(g, PROCESS, steps - 1) : null;
  return (
    <StepPlayer
      label="positions of dy on x"
      value={stepsDone(g, wanted)}
      total={stepCount(g, PROCESS)}
      row={gridOf(g, 'dw_uncropped').size.col}
      sentence={step ? stepSentence(g, step.row, step.col, steps, total) : NO_STEP}
      highlights={highlights}
      onSteps={(t) => onState({ t })}
    />
  );
}

export function roleSwapSentence(g: Geometry): string {
  const pair = (a: number, b: number) => (a === b ? String(a) : `${a} × ${b}`);
  const stride = pair(g.stride_h, g.stride_w);
  const dilation = pair(g.dilation_h, g.dilation_w);
  const spread =
    stride === '1'
      ? 'The stride is 1: dy is not upsampled'
      : `The stride ${stride} becomes the dilation of dy (hatched zeros)`;
  return `${spread}. The dilation ${dilation} becomes the stride of dy.`;
}

function stepSentence(g: Geometry, row: number, col: number, steps: number, total: number): string {
  const name = `Step ${steps} of ${total}`;
  const batch = g.n > 1 ? `, over all ${g.n} images` : '';
  if (row >= g.kh || col >= g.kw)
    return `${name}: ${weightLabel(g, 'dw_uncropped', row, col)} is past the kernel. It belongs to no weight and is cropped.`;
  const each = g.k > 1 || g.group_c > 1 ? ', for each filter and channel' : '';
  return `${name}: ${weightLabel(g, 'dw', row, col)} is the sum of dy times the outlined cells of x${each}${batch}.`;
}

/** Positions of the dilated dy that are done; all of them at first. */
export const stepsDone = (g: Geometry, { t }: ViewState): number => chosenSteps(t, stepCount(g, PROCESS));

/** Positions past the kernel: they exist only where the stride leaves a remainder. */
export function croppedPositions(g: Geometry): readonly Mark[] {
  const { row, col } = gridOf(g, 'dw_uncropped').size;
  const areas = [block(g.kh, 0, row - g.kh, col), block(0, g.kw, g.kh, col - g.kw)];
  return marked(
    'unread',
    areas.filter(({ rows, cols }) => rows * cols > 0),
  );
}

const hasCroppedPositions = (g: Geometry): boolean => croppedPositions(g).length > 0;

/** Says that the positions past the kernel are cropped. */
export function cropSentence(g: Geometry): string {
  if (!hasCroppedPositions(g))
    return 'The stride leaves no remainder, so there are exactly as many positions as weights.';
  const left = [
    g.remainder_h > 0 ? counted(g.remainder_h, 'row') : '',
    g.remainder_w > 0 ? counted(g.remainder_w, 'column') : '',
  ];
  const { row, col } = gridOf(g, 'dw_uncropped').size;
  return `The stride leaves ${left.filter(Boolean).join(' and ')} of x unread, so dy has ${row} × ${col} positions. The hatched ones belong to no weight and are cropped.`;
}
