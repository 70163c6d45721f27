import { useMemo } from 'preact/hooks';
import { cellAt, type Focus, gridOf, positionOf } from '../../geometry/grid';
import { weightLabel } from '../../geometry/labels';
import { sourcesOf } from '../../geometry/links';
import { stepCount, stepPosition } from '../../geometry/steps';
import { cellsUnder } from '../../geometry/window';
import type { ViewState } from '../../look/look';
import type { Highlights } from '../../look/look-store';
import type { Cell, Geometry, Tensor } from '../../protocol/problem';
import { counted } from '../../ui/quantities';
import { framesIn, stageIn } from '../shared/answers';
import { Equation, type Term } from '../shared/Equation';
import { areasAfter, block, chosenSteps, marked, sliceInFocus, stepHighlights } from '../shared/plane';
import { StagePanel } from '../shared/StagePanel';
import { TensorPanel } from '../shared/TensorPanel';
import { type Subject, tellingSteps } from '../shared/telling';
import {
  useDerived,
  useFrameOverlay,
  useGeometry,
  useViewModel,
  ViewModelProvider,
  type ViewProps,
} from '../shared/view-model';
import { NO_STEP, StepPlayer } from '../shared/walk/StepPlayer';

const PROCESS = 'dw_dilated_dy';

/** dy, upsampled by the stride, slides over x; each position is one cell of dw. */
export function DilatedDy({ answers, state }: ViewProps) {
  const g = useGeometry();
  const { focus: focusSignal } = useViewModel();
  const partial = framesIn(answers)[0];
  const dy = stageIn(answers, 'dy_upsampled');
  const steps = partial?.steps ?? 0;
  const { row, col } = gridOf(g, 'dw_uncropped').size;
  const focus = focusSignal.value;
  const frameModel = useFrameOverlay({
    highlights: useMemo(() => highlightsOfStep(g, steps, focus), [g, steps, focus]),
    chosen: typeof state.t === 'number',
  });
  const lit = useDerived(() => withCellsUnder(g, frameModel.highlights.value), [g, frameModel]);
  const model = useMemo(() => {
    const { onHover, onMove, onPick } = frameModel.events;
    // Its cells are those of dw, but for those past the kernel.
    const ofDw = <R extends Cell | null>(cell: R) =>
      cell?.tensor === 'dw_uncropped' ? (cellAt(g, 'dw', positionOf(g, cell)) ?? cell) : cell;
    const events = {
      ...frameModel.events,
      onHover: (cell: Cell | null) => onHover(ofDw(cell)),
      onMove: (cell: Cell) => onMove(ofDw(cell)),
      onPick: (cell: Cell) => onPick(ofDw(cell)),
    };
    return { ...frameModel, highlights: lit, events };
  }, [g, frameModel, lit]);
  if (!partial || !dy) return null;

  const under = [...marked('pending', areasAfter(steps, row, col)), ...croppedPositions(g)];
  return (
    <ViewModelProvider value={model}>
      <Equation
        terms={[
          ...xWithDy(g, dy, focus),
          {
            name: 'dw_uncropped',
            sign: '=',
            panel: (size) => (
              <StagePanel
                name="dw_uncropped"
                tensor={partial.tensor}
                {...sliceInFocus(g, 'dw', focus)}
                title="dw"
                subtitle={`${steps} of ${partial.total} steps`}
                accent="var(--id-w)"
                fit={size}
                under={under}
              />
            ),
          },
        ]}
      />
    </ViewModelProvider>
  );
}

/** The cell of dw that a step computes; past the kernel, the cell of the uncropped dw. */
function highlightsOfStep(g: Geometry, steps: number, focus: Focus) {
  if (steps === 0) return null;
  const { row, col } = stepPosition(g, PROCESS, steps - 1);
  const at = { ...sliceInFocus(g, 'dw', focus), row, col };
  const cell = cellAt(g, 'dw', at) ?? cellAt(g, 'dw_uncropped', at);
  return cell && stepHighlights(cell, sourcesOf(g, cell));
}

/** The highlights with the cells of x under dy for a cell of dw, also those in the padding. */
function withCellsUnder(g: Geometry, lit: Highlights | null) {
  if (lit?.cell.tensor !== 'dw' && lit?.cell.tensor !== 'dw_uncropped') return lit;
  return { ...lit, sources: [...lit.sources, ...cellsUnder(g, positionOf(g, lit.cell))] };
}

/** x ∗ dy: dy as a kernel. */
const xWithDy = (g: Geometry, dy: Tensor, { n, k }: Focus): readonly Term[] => [
  { name: 'x', panel: (size) => <TensorPanel tensor="x" size={size} /> },
  {
    name: 'dy_upsampled',
    sign: '∗',
    origin: g.stride_h * g.stride_w > 1 ? 'dy' : undefined,
    panel: (size) => (
      <StagePanel
        name="dy_upsampled"
        tensor={dy}
        slice={n}
        channel={k}
        title="dy"
        subtitle="as the kernel"
        accent="var(--id-y)"
        fit={size}
      />
    ),
  },
];

export function DilatedDyPlayer({ wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const { content, focus: focusSignal } = useViewModel();
  const focus = focusSignal.value;
  const partial = framesIn(answers)[0];
  const steps = partial?.steps ?? 0;
  if (!partial) return null;
  const { total } = partial;
  const step = steps > 0 ? stepPosition(g, PROCESS, steps - 1) : null;
  return (
    <StepPlayer
      label="positions of dy on x"
      value={stepsDone(content.value, wanted)}
      total={stepCount(g, PROCESS)}
      row={gridOf(g, 'dw_uncropped').size.col}
      sentence={step ? stepSentence(g, step.row, step.col, steps, total) : NO_STEP}
      highlights={highlightsOfStep(g, steps, focus)}
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

function stepSentence(g: Geometry, row: number, col: number, steps: number, total: number) {
  const name = `Step ${steps} of ${total}`;
  const batch = g.n > 1 ? `, over all ${g.n} images` : '';
  if (row >= g.kh || col >= g.kw)
    return `${name}: ${weightLabel(g, 'dw_uncropped', row, col)} is past the kernel. It belongs to no weight and is cropped.`;
  const each = g.k > 1 || g.group_c > 1 ? ', for each filter and channel' : '';
  return `${name}: ${weightLabel(g, 'dw', row, col)} is the sum of dy times the outlined cells of x${each}${batch}.`;
}

/** Positions of the dilated dy that are done. */
export const stepsDone = (of: Subject, { t }: ViewState): number =>
  chosenSteps(t ?? tellingSteps(of, PROCESS), stepCount(of.geometry, PROCESS));

/** Positions past the kernel: they exist only where the stride leaves a remainder. */
function croppedPositions(g: Geometry) {
  const { row, col } = gridOf(g, 'dw_uncropped').size;
  const areas = [block(g.kh, 0, row - g.kh, col), block(0, g.kw, g.kh, col - g.kw)];
  return marked(
    'unread',
    areas.filter(({ rows, cols }) => rows * cols > 0),
  );
}

const hasCroppedPositions = (g: Geometry) => croppedPositions(g).length > 0;

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

/** Maximum number of images drawn; of a larger batch, those around the selected one. */
const MOST_IMAGES = 4;
/** One group (one channel of one image), then the sum over the images. */
export function Grouped({ answers }: ViewProps) {
  const g = useGeometry();
  const focus = useViewModel().focus.value;
  const [dy, perImage] = [stageIn(answers, 'dy_upsampled'), stageIn(answers, 'dw_per_image')];
  if (!dy || !perImage) return null;
  const images = shownImages(g, focus.n).map(
    (n, i): Term => ({
      name: 'dw_per_image',
      sign: i > 0 ? '+' : g.n > 1 ? '→' : '=',
      panel: (size) => (
        <StagePanel
          name="dw_per_image"
          tensor={perImage}
          slice={n * g.k + focus.k}
          channel={sliceInFocus(g, 'dw', focus).channel}
          title="dw"
          subtitle={`image ${n}`}
          label={`dw of image ${n}`}
          accent="var(--id-w)"
          fit={size}
          under={croppedPositions(g)}
        />
      ),
    }),
  );
  const isWhole = g.n === 1 && !hasCroppedPositions(g);
  const dw: Term = { name: 'dw', sign: g.n > 1 ? '=' : '→', panel: (size) => <TensorPanel tensor="dw" size={size} /> };
  return <Equation terms={[...xWithDy(g, dy, focus), ...images, ...(isWhole ? [] : [dw])]} />;
}

function shownImages(g: Geometry, n: number) {
  const first = Math.max(0, Math.min(n, g.n - MOST_IMAGES));
  return Array.from({ length: Math.min(g.n, MOST_IMAGES) }, (_, i) => first + i);
}

export function groupSentence(g: Geometry, { n, c, k }: Focus): string {
  const count = g.n * g.c;
  const all = `${counted(g.n, 'image')} × ${counted(g.c, 'channel')} = ${counted(count, 'group')}`;
  const which = count > 1 ? ` Here: image ${n}, channel ${c}, with the dy of filter ${k}.` : '';
  return `${all}. Each convolves one channel of one image with the dy of that image, once per filter.${which}`;
}

export function groupedSentence(g: Geometry): string {
  const { row, col } = gridOf(g, 'dw_uncropped').size;
  const cut = row > g.kh || col > g.kw;
  const kept = cut ? `Only ${g.kh} × ${g.kw} cells are kept` : 'Nothing is cut off here';
  if (g.n === 1) return `${kept}. There is one image, so this is dw.`;
  const shown = Math.min(g.n, MOST_IMAGES);
  return `${kept}: the ${g.n} images${shown < g.n ? ` (${shown} are drawn)` : ''} are added.`;
}
