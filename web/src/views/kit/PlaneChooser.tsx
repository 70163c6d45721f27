import { useMemo } from 'preact/hooks';
import { type Focus, groupOfChannel, groupOfFilter } from '../../geometry/focus';
import type { Geometry, TensorName } from '../../protocol/problem';
import type { ColourScale } from '../../ui/colour-scale';
import { SliceChooser } from '../../ui/grid/SliceChooser';
import type { Thumbnail } from '../../ui/grid/ThumbnailSheet';
import { pure, sameParts } from '../../ui/pure';
import { gridData, planeOf } from './plane';
import type { Scene } from './scene';

interface PlaneChooserProps {
  readonly tensor: TensorName;
  readonly scene: Scene;
  readonly scale: ColourScale;
  readonly onFocus: (focus: Focus) => void;
}

type FocusAxis = keyof Focus;

const WORDS: Readonly<Record<FocusAxis, string>> = { n: 'sample', c: 'channel', k: 'filter' };

/** Thumbnails of every slice of a tensor, one row for each axis that has several. */
export const PlaneChooser = pure(Chooser, sameParts(partsOf));

function partsOf({ tensor, scene: { geometry, focus, tensors }, scale, onFocus }: PlaneChooserProps) {
  return [tensor, geometry, tensors[tensor], focus.n, focus.c, focus.k, scale, onFocus] as const;
}

function Chooser({ tensor, scene, scale, onFocus }: PlaneChooserProps) {
  const { geometry: g, focus } = scene;
  const { n, c, k } = focus;
  const values = scene.tensors[tensor];
  const rows = useMemo(() => (values ? rowsOf(g, tensor, { n, c, k }, values.data) : []), [g, tensor, n, c, k, values]);
  return (
    <>
      {rows.map(({ axis, slices }) => (
        <SliceChooser
          key={axis}
          label={`${WORDS[axis]} of ${tensor}`}
          axis={axis}
          slices={slices}
          scale={scale}
          selected={focus[axis]}
          onSelect={(index) => onFocus(moved(g, focus, axis, index))}
        />
      ))}
    </>
  );
}

interface Row {
  readonly axis: FocusAxis;
  readonly slices: readonly Thumbnail[];
}

function rowsOf(g: Geometry, tensor: TensorName, focus: Focus, values: Float32Array): readonly Row[] {
  return axesOf(tensor).flatMap((axis) => {
    const indices = choicesOf(g, tensor, axis, focus);
    if (indices.length < 2) return [];
    const slices = indices.map((index) => ({
      index,
      data: gridData(planeOf(g, tensor, moved(g, focus, axis, index)), values),
      involved: isInvolved(g, axis, index, focus),
    }));
    return [{ axis, slices }];
  });
}

function axesOf(tensor: TensorName): readonly FocusAxis[] {
  if (tensor.endsWith('w')) return ['k', 'c'];
  return tensor.endsWith('x') ? ['n', 'c'] : ['n', 'k'];
}

/** A filter has weights only for the channels of its group. */
function choicesOf(g: Geometry, tensor: TensorName, axis: FocusAxis, focus: Focus): readonly number[] {
  if (axis === 'c' && tensor.endsWith('w')) return range(groupOfFilter(g, focus.k) * g.group_c, g.group_c);
  return range(0, g[axis]);
}

function range(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => first + i);
}

function isInvolved(g: Geometry, axis: FocusAxis, index: number, focus: Focus): boolean {
  return axis !== 'c' || groupOfChannel(g, index) === groupOfFilter(g, focus.k);
}

/** A channel of another group brings a filter of that group with it. */
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
