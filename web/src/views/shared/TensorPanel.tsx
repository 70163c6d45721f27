import type { ComponentChildren, ComponentProps } from 'preact';
import { gridOf, positionOf } from '../../geometry/grid';
import type { Geometry, InputName, TensorName } from '../../protocol/problem';
import { scaleEnd } from '../../ui/color-scale';
import { isData, type Spot, valueAt } from '../../ui/grid/grid-data';
import type { Mark } from '../../ui/grid/marks';
import { planeEvents } from './cell-events';
import type { DyMenu } from './DyMenu';
import { sharedParts } from './deferred';
import { GridPanel } from './GridPanel';
import { cellOfSpot, marksOn, PHOTO, type Plane, spotOf, unread } from './plane';
import type { ViewEvents } from './scene';
import { LayoutBox, Sign } from './stage/LayoutBox';
import { twin } from './stage/layout';
import { useBiased, useDerived, useGeometry, usePlaneData, useScale, useViewModel } from './view-model';

export interface TensorPanelProps {
  readonly tensor: TensorName;
  /** Cell size in CSS pixels. */
  readonly size: number;
  /** More marks, drawn below those of the highlights. */
  readonly under?: readonly Mark[] | undefined;
  readonly subtitle?: string | undefined;
  /** Without the size, which is that of the tensor above. */
  readonly short?: boolean;
  /** Replaces the usual accessible name. */
  readonly label?: string | undefined;
  readonly accent?: string | undefined;
  /** Over the cells. */
  readonly over?: ComponentChildren;
  /** For dy: the settings of the view in its menu, and what else the choice of a source changes. */
  readonly menu?: Omit<ComponentProps<typeof DyMenu>, 'subtitle'> | undefined;
  /** Replaces the usual event handlers. */
  readonly acts?: Partial<Pick<ViewEvents, 'onHover' | 'onPick'>> | undefined;
}

const SUBTITLES: Readonly<Record<TensorName, string>> = {
  x: 'input',
  w: 'kernel',
  b: 'bias',
  y: 'output',
  dy: 'gradient of y',
  dx: 'gradient of x',
  dw: 'gradient of w',
  db: 'gradient of b',
};

/** The meaning of hatched rows and columns. */
const UNREAD: Readonly<Partial<Record<TensorName, string>>> = {
  x: 'Hatched: read by no window.',
  dx: 'Hatched: exactly 0.',
};

const EDITABLE: ReadonlySet<TensorName> = new Set(['x', 'w', 'b', 'dy']);
const NONE: readonly Mark[] = [];

/** One tensor: its name, the slice in focus as a grid, its color scale, and a chooser of the other slices. */
export function TensorPanel({ tensor, size, under = NONE, subtitle, acts, menu, ...named }: TensorPanelProps) {
  const { content, differences, focus, highlights, locked, exercise, events } = useViewModel();
  const isLocked = locked.value.includes(tensor);
  /** Why it is computed by another layer. */
  const fixed = useDerived(() => content.value.fixed[tensor as InputName], [content, tensor]).value;
  const g = useGeometry();
  const difference = useDerived(() => differences.value[tensor], [differences, tensor]).value;
  const own = useDerived(() => content.value.tensors[tensor], [content, tensor]).value;
  const values = difference ?? own;
  const biased = useBiased();
  const asPhoto = useDerived(() => tensor === 'x' && content.value.photo, [content, tensor]).value;
  const { plane, data, photo } = usePlaneData(g, tensor, focus.value, values, asPhoto);
  const signed = useScale(scaleEnd(values?.stats));
  const scale = asPhoto ? PHOTO : signed;
  const marks = useDerived(() => [...under, ...marksOn(g, plane, highlights.value)], [under, g, plane, highlights]);
  const marker = useDerived(() => {
    const cell = highlights.value?.cell;
    const spot = cell?.tensor === plane.tensor ? spotOf(plane, positionOf(g, cell)) : null;
    return spot && isData(data, spot) ? valueAt(data, spot) : null;
  }, [highlights, g, plane, data]);
  const handlers = {
    ...planeEvents(g, plane, { ...events, ...acts }),
    guessesOnly: isLocked || fixed !== undefined || !EDITABLE.has(tensor),
    onEdit(spot: Spot, value: number) {
      const cell = cellOfSpot(g, plane, spot);
      if (cell) events.onEdit({ ...cell, geometry: g }, value);
    },
  };
  if (!values) return null;

  const label = labelOf(g, plane);
  const several = label !== tensor;
  const slice = sliceText(g, plane);
  const DyMenu = tensor === 'dy' && !fixed && sharedParts.value?.DyMenu;
  const PlaneChooser = several && sharedParts.value?.PlaneChooser;
  return (
    <GridPanel
      {...{ tensor, scale, marker, data, marks, photo }}
      group={several ? `${tensor}, ${slice ? `${slice} of ` : ''}${sizeText(g, tensor)}` : null}
      subtitle={
        (difference && 'now − kept') ??
        subtitle ??
        fixed ??
        (slice ? `${slice} of` : tensor === 'db' && !biased ? 'if there were a bias' : SUBTITLES[tensor])
      }
      heading={DyMenu && <DyMenu {...menu} subtitle={SUBTITLES.dy} />}
      size={named.short || (tensor === 'db' && !biased) ? '' : sizeText(g, tensor)}
      accent={named.accent}
      over={named.over}
      note={
        isLocked && !exercise.value ? 'Locked by this link.' : unread(g, plane).length > 0 ? UNREAD[tensor] : undefined
      }
      indent={tensor === 'dx' ? g.padding.left * size : 0}
      below={PlaneChooser && <PlaneChooser tensor={tensor} values={values.data} scale={scale} />}
      label={difference ? `${label}, now − kept` : (named.label ?? label)}
      fit={size}
      events={handlers}
    />
  );
}

/** `y` where the tensor is one plane, else the plane in focus: `y[n=0, k=1]`. */
function labelOf(g: Geometry, { tensor, slice, channel }: Plane) {
  const { size } = gridOf(g, tensor);
  if (tensor === 'b' || tensor === 'db' || size.slice * size.channel <= 1) return tensor;
  if (tensor === 'w' || tensor === 'dw') return `${tensor}[c=${channel}, k=${slice}]`;
  return `${tensor}[n=${slice}, ${tensor.endsWith('y') ? 'k' : 'c'}=${channel}]`;
}

/** "channel 1", before "of 3 × 3 × 2"; null where the tensor has no depth. */
function sliceText(g: Geometry, { tensor, channel }: Plane) {
  if (tensor === 'b' || tensor === 'db' || gridOf(g, tensor).size.channel === 1) return null;
  return `${tensor.endsWith('y') ? 'filter' : 'channel'} ${channel}`;
}

function sizeText(g: Geometry, tensor: TensorName) {
  const { row, col, channel } = gridOf(g, tensor).size;
  if (tensor === 'b' || tensor === 'db') return channel === 1 ? '' : `${channel}`;
  if (channel > 1) return `${row} × ${col} × ${channel}`;
  const { top, bottom, left, right } = g.padding;
  return `${row} × ${col}${tensor === 'x' && top + bottom + left + right > 0 ? ' + pad' : ''}`;
}

/** A tensor at its position, which is the same in every view; null for a gradient that a lesson does not speak of. */
export function TensorSlot({ tensor, ...props }: { tensor: TensorName } & Partial<TensorPanelProps>) {
  const model = useViewModel();
  const layout = model.layout.value;
  return model.hiddenParts.value.includes(tensor) ? null : (
    <LayoutBox box={layout.slots[tensor]} slot>
      <TensorPanel {...props} tensor={tensor} size={layout.cell[twin(tensor)]} />
    </LayoutBox>
  );
}

export interface TensorsProps {
  readonly names: readonly TensorName[];
  /** Props of single panels. */
  readonly own?: Readonly<Partial<Record<TensorName, Partial<TensorPanelProps>>>> | undefined;
}

export const FORWARD: readonly TensorName[] = ['x', 'w', 'b', 'y'];
const BACKWARD: readonly TensorName[] = ['dx', 'dw', 'db', 'dy'];
export const ALL_TENSORS: readonly TensorName[] = [...FORWARD, ...BACKWARD];

/** Tensors at their positions. */
export function TensorSlots({ names, own = {} }: TensorsProps) {
  const { content } = useViewModel();
  const there = useDerived(() => names.filter((name) => content.value.tensors[name]).join(), [content, names]).value;
  return (
    <>
      {names
        .filter((name) => there.split(',').includes(name))
        .map((name) => (
          <TensorSlot key={name} tensor={name} {...own[name]} />
        ))}
    </>
  );
}

/** x ∗ w = y. */
export function ForwardSigns() {
  return (
    <>
      <Sign after="x" row="forward" sign="∗" />
      <Sign after="w" row="forward" sign="=" />
    </>
  );
}
