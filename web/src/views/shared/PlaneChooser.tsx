import { useMemo } from 'preact/hooks';
import { type Focus, groupOfChannel, groupOfFilter } from '../../geometry/grid';
import type { Geometry, TensorName } from '../../protocol/problem';
import type { ColorScale } from '../../ui/color-scale';
import type { Thumbnail } from '../../ui/grid/MiniMap';
import { SliceChooser } from '../../ui/grid/SliceChooser';
import { gridData, planeOf } from './plane';
import { LETTER, THUMBNAIL, twin } from './stage/layout';
import { useGeometry, useViewModel } from './view-model';

type FocusAxis = keyof Focus;

const WORDS: Readonly<Record<FocusAxis, string>> = { n: 'image', c: 'channel', k: 'filter' };

/** Thumbnails of the slices of a tensor, one strip for each axis with several; those that do not fit are in a popover. */
export function PlaneChooser({
  tensor,
  values,
  scale,
}: {
  tensor: TensorName;
  values: Float32Array;
  scale: ColorScale;
}) {
  const { focus, layout, events } = useViewModel();
  const g = useGeometry();
  const { n, c, k } = focus.value;
  const column = twin(tensor);
  const strips = useMemo(() => stripsOf(g, tensor, { n, c, k }, values), [g, tensor, n, c, k, values]);
  const room = roomsOf(
    strips.map(({ count }) => count),
    layout.value.columns[column === 'b' ? 'w' : column].size,
  );
  return (
    <div class="strips">
      {strips.map(({ axis, ...slices }, i) => (
        <SliceChooser
          key={axis}
          label={`${WORDS[axis]} of ${tensor}`}
          axis={axis}
          {...slices}
          scale={scale}
          selected={focus.value[axis]}
          most={room[i] ?? 1}
          onSelect={(index) => events.onFocus(moved(g, focus.peek(), axis, index))}
        />
      ))}
    </div>
  );
}

/** Number of thumbnails of each strip in a row of `width` CSS pixels; the shorter strip gets its room first. */
function roomsOf(counts: readonly number[], width: number) {
  const all = Math.max(1, Math.floor((width - counts.length * LETTER) / THUMBNAIL));
  const shortest = Math.min(...counts);
  return counts.map((count, i) => {
    if (counts.length === 1) return all;
    const half = Math.floor(all / 2);
    const first = count === shortest && counts.indexOf(shortest) === i;
    return Math.max(1, first ? Math.min(count, half) : all - Math.min(shortest, half));
  });
}

interface Strip {
  readonly axis: FocusAxis;
  /** Numbers of the slices: `count` of them from `first` on. */
  readonly first: number;
  readonly count: number;
  readonly sliceAt: (index: number) => Thumbnail;
}

function stripsOf(g: Geometry, tensor: TensorName, focus: Focus, values: Float32Array): readonly Strip[] {
  const group = groupOfFilter(g, focus.k);
  return axesOf(tensor).flatMap((axis) => {
    // A filter has weights only for the channels of its group.
    const [first, count] = axis === 'c' && tensor.endsWith('w') ? [group * g.group_c, g.group_c] : [0, g[axis]];
    if (count < 2) return [];
    const sliceAt = (index: number): Thumbnail => ({
      index,
      data: gridData(planeOf(g, tensor, moved(g, focus, axis, index)), values),
      involved: axis !== 'c' || groupOfChannel(g, index) === group,
    });
    return [{ axis, first, count, sliceAt }];
  });
}

function axesOf(tensor: TensorName): readonly FocusAxis[] {
  if (tensor.endsWith('w')) return ['k', 'c'];
  return tensor.endsWith('x') ? ['n', 'c'] : ['n', 'k'];
}

/** Selecting a channel of another group also selects a filter of that group. */
function moved(g: Geometry, focus: Focus, axis: FocusAxis, index: number): Focus {
  const next = { ...focus, [axis]: index };
  if (axis === 'c' && groupOfChannel(g, index) !== groupOfFilter(g, focus.k)) {
    return { ...next, k: groupOfChannel(g, index) * g.group_k };
  }
  if (axis === 'k' && groupOfFilter(g, index) !== groupOfChannel(g, focus.c)) {
    return { ...next, c: groupOfFilter(g, index) * g.group_c };
  }
  return next;
}
