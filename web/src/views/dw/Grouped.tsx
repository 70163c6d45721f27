import { useMemo } from 'preact/hooks';
import { type Focus, groupOfFilter } from '../../geometry/focus';
import { gridOf } from '../../geometry/grid';
import type { Geometry } from '../../protocol/problem';
import { counted } from '../../ui/quantities';
import { stageIn } from '../kit/answers';
import { StagePanel } from '../kit/StagePanel';
import { Sign } from '../kit/stage/LayoutBox';
import { type Box, region } from '../kit/stage/layout';
import { TensorSlot } from '../kit/stage/Tensors';
import type { ViewProps } from '../kit/view';
import { useGeometry, useViewModel } from '../kit/view-model';
import { croppedPositions, XWithDy } from './DilatedDy';

/** Maximum number of images drawn; of a larger batch, those around the selected one. */
const MOST_IMAGES = 4;
const GAP = 10;
/** Width of the sign between them and dw. */
const SIGN = 36;

/** One group (one channel of one image), then the sum over the images. */
export function Grouped({ answers }: ViewProps) {
  const g = useGeometry();
  const { focus: focusSignal, layout: stageLayout } = useViewModel();
  const [dy, perImage] = [stageIn(answers, 'dy_upsampled'), stageIn(answers, 'dw_per_image')];
  const hatched = useMemo(() => croppedPositions(g), [g]);
  if (!dy || !perImage) return null;

  const layout = stageLayout.value;
  const focus = focusSignal.value;
  const images = shownImages(g, focus.n);
  const { left, ...rest } = region(layout, 'x', 'x', 'backward');
  // Up to the sign before dw.
  const boxes = tiles({ ...rest, left, width: layout.columns.w.start - SIGN - left }, images.length);
  return (
    <>
      <XWithDy dy={dy} />
      {images.map((n, i) => (
        <StagePanel
          key={n}
          name="dw_per_image"
          tensor={perImage}
          slice={n * g.k + focus.k}
          channel={focus.c - groupOfFilter(g, focus.k) * g.group_c}
          title={`n = ${n}`}
          subtitle="dw"
          label={`dw of image ${n}`}
          accent="var(--id-w)"
          box={boxes[i] ?? layout.slots.dx}
          limits={{ most: layout.cell.w }}
          under={hatched}
        />
      ))}
      <Sign after="x" row="backward" sign={g.n > 1 ? 'Σ' : '→'} />
      <TensorSlot tensor="dw" subtitle={g.n > 1 ? 'sum' : 'sliced'} />
      <TensorSlot tensor="dy" />
    </>
  );
}

/** Divides a box into up to four, two per row. */
function tiles({ left, top, width, height }: Box, count: number): readonly Box[] {
  const cols = count > 1 ? 2 : 1;
  const rows = Math.ceil(count / cols);
  const [wide, tall] = [(width - (cols - 1) * GAP) / cols, (height - (rows - 1) * GAP) / rows];
  return Array.from({ length: count }, (_, i) => ({
    left: left + (i % cols) * (wide + GAP),
    top: top + Math.floor(i / cols) * (tall + GAP),
    width: wide,
    height: tall,
  }));
}

function shownImages(g: Geometry, n: number): readonly number[] {
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
  const slice = cut ? `Slice to ${g.kh} × ${g.kw}` : 'Nothing to slice off';
  if (g.n === 1) return `${slice}. With one image there is nothing to add: this is dw.`;
  const shown = Math.min(g.n, MOST_IMAGES);
  return `${slice}${cut ? ', then' : ':'} add over the batch${shown < g.n ? ` of ${g.n} images (${shown} are drawn)` : ''}.`;
}
