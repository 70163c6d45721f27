import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { type Grid, indexAt } from '../../geometry/grid';
import type { Tensor } from '../../protocol/problem';
import { scaleEnd } from '../../ui/color-scale';
import { type GridData, isData, NO_RING, type Spot } from '../../ui/grid/grid-data';
import type { Thumbnail } from '../../ui/grid/MiniMap';
import type { Mark } from '../../ui/grid/marks';
import { SliceChooser } from '../../ui/grid/SliceChooser';
import { gridFit } from '../shared/fit';
import { GridPanel } from '../shared/GridPanel';
import { block, marked } from '../shared/plane';
import { LETTER, THUMBNAIL } from '../shared/stage/layout';
import { useDerived, useScale, useViewModel } from '../shared/view-model';
import type { Cone } from './cone';
import {
  type LayerPart,
  type Net,
  type NetTensor,
  netCellLabel,
  type Place,
  type Side,
  sideName,
  tensorOf,
} from './net';
import { type NetPlane, reachMarks, routeMarks } from './net-marks';
import { isComputed, type NetStep } from './steps';

/** What all panels of a network share. */
export interface NetPanels {
  /** A signal: an edit renders only the panels with other values. */
  readonly net: ReadonlySignal<Net | null>;
  readonly pointed: ReadonlySignal<Place | null>;
  readonly cone: ReadonlySignal<Cone | null>;
  /** Of the player; null: none. */
  readonly step: ReadonlySignal<NetStep | null>;
  readonly onPoint: (place: Place | null) => void;
  readonly onPick: (place: Place) => void;
  readonly onEdit: (place: Place, value: number) => void;
  readonly onChannel: (at: number, channel: number) => void;
}

interface NetPanelProps extends NetPanels, Pick<NetPlane, 'side' | 'slice' | 'channel'> {
  readonly at: number;
  /** Weights or bias of layer `at`, without a chooser of their planes. */
  readonly of?: LayerPart | undefined;
  /** Cell size in CSS pixels. */
  readonly size: number;
  /** Width in CSS pixels. */
  readonly width: number;
  /** In place of the name of the tensor. */
  readonly heading?: ComponentChildren;
  readonly note?: string | undefined;
}

/** A tensor between two layers, or its gradient: one plane of it. */
export function NetPanel({ net, at, of, side, ...props }: NetPanelProps) {
  const tensor = useDerived(() => net.value && tensorOf(net.value, { at, of }), [net, at, of]);
  const values = useDerived(() => tensor.value?.[side], [tensor, side]).value;
  const grid = useDerived(() => tensor.value?.grid, [tensor]).value;
  const name = useDerived(() => tensor.value?.name, [tensor]).value;
  if (!values || !grid || !name) return null;
  return <Plane {...{ net, at, of, side, values, grid, name }} {...props} />;
}

interface PlaneProps extends NetPanelProps, Pick<NetTensor, 'grid' | 'name'> {
  readonly values: Tensor;
}

function Plane(props: PlaneProps) {
  const { net, at, of, side, slice, channel, size, width, pointed, cone, step } = props;
  const { values, grid, onPoint, onPick, onEdit, onChannel } = props;
  const { noHintYet, locked } = useViewModel();
  const data = useMemo(() => planeData(grid, values, slice, channel), [grid, values, slice, channel]);
  const isRouted = size >= ROUTED;
  const routes = useSame(
    useDerived(
      () =>
        isRouted && !noHintYet.value && net.value
          ? routeMarks(net.value, { at, of, side, slice, channel }).filter(
              ({ tone }) => tone !== 'winner' || size >= OUTLINED,
            )
          : NONE,
      [net, at, of, side, slice, channel, isRouted, size, noHintYet],
    ),
  );
  const reached = useDerived(() => {
    const [now, place] = [net.value, pointed.value];
    const all = now && place ? reachMarks(now, { at, of, side, slice, channel }, place, cone.value) : NONE;
    return noHintYet.value ? all.filter(({ tone }) => tone === 'focus') : all;
  }, [net, at, of, side, slice, channel, pointed, cone, noHintYet]);
  const covered = useDerived(
    () => net.value !== null && !isComputed(net.value, step.value, { at, of, side }),
    [net, step, at, of, side],
  );
  const { row, col, channel: channels } = grid.size;
  const marks = useDerived(
    () => (covered.value ? marked('pending', [block(0, 0, row, col)]) : [...routes.value, ...reached.value]),
    [covered, routes, reached, row, col],
  );
  const end = useDerived(
    () => (side === 'gradient' && !of && net.value ? gradientEnd(net.value) : scaleEnd(values.stats)),
    [net, side, of, values],
  );
  const scale = useScale(end.value);
  const isEditable = side === 'value' && (of ?? (at === 0 && 'x'));
  const isLocked = isEditable && locked.value.includes(isEditable);
  const handlers = useMemo(() => {
    const placeOf = (spot: Spot): Place => ({ at, of, side, index: indexAt(grid, { ...spot, slice, channel }) });
    return {
      onHover: (spot: Spot | null) => onPoint(spot && isData(data, spot) ? placeOf(spot) : null),
      onMove: (spot: Spot) => onPoint(placeOf(spot)),
      onPick: (spot: Spot) => onPick(placeOf(spot)),
      onEdit: isEditable && !isLocked ? (spot: Spot, value: number) => onEdit(placeOf(spot), value) : undefined,
      nameOf: (spot: Spot) => netCellLabel({ grid, name: props.name }, side, placeOf(spot).index),
    };
  }, [props.name, grid, data, at, of, side, slice, channel, isEditable, isLocked, onPoint, onPick, onEdit]);
  const name = sideName(props, side);
  const chosen =
    of === 'w' && grid.cells > row * col ? `c=${channel}, k=${slice}` : channels > 1 && !of ? `c=${channel}` : '';
  const planes = channels > 1 ? ` × ${channels}` : '';
  return (
    <GridPanel
      tensor={gridNameOf(of ?? (at === 0 ? 'x' : 'y'), side)}
      group={channels > 1 && !of ? `${name}, channel ${channel} of ${row} × ${col}${planes}` : null}
      title={name}
      subtitle=""
      heading={props.heading}
      size={at === 0 && side === 'value' && !of ? `${row} × ${col}${planes}` : ''}
      scale={scale}
      legend={false}
      label={chosen ? `${name}[${chosen}]` : name}
      data={data}
      fit={gridFit(row, col, size)}
      marks={marks}
      events={handlers}
      note={props.note}
      below={
        channels > 1 &&
        !of && (
          <div class="strips">
            <SliceChooser
              label={`channel of ${name}`}
              axis="c"
              first={0}
              count={channels}
              sliceAt={(index): Thumbnail => ({ index, data: planeData(grid, values, slice, index), involved: true })}
              scale={scale}
              selected={channel}
              most={Math.max(1, Math.floor((width - LETTER) / THUMBNAIL))}
              onSelect={(index) => onChannel(at, index)}
            />
          </div>
        )
      }
    />
  );
}

/** Least cell size for marks of single cells, in CSS pixels: smaller ones would cover the values. */
const ROUTED = 6;
const OUTLINED = 12;

const gridNameOf = (name: 'x' | 'y' | LayerPart, side: Side) => (side === 'value' ? name : (`d${name}` as const));

const NONE: readonly Mark[] = [];

/** The same list while the marks are the same: the rest of the network may change. */
function useSame(marks: ReadonlySignal<readonly Mark[]>) {
  const text = useDerived(() => JSON.stringify(marks.value), [marks]);
  return useDerived(() => JSON.parse(text.value) as readonly Mark[], [text]);
}

/** All gradients have one color scale, so that those that vanish are pale. */
const gradientEnd = ({ tensors }: Net): number =>
  tensors.reduce((end, { gradient }) => Math.max(end, scaleEnd(gradient.stats)), 0);

function planeData({ size, stride }: Grid, { data }: Tensor, slice: number, channel: number): GridData {
  return {
    ...{ rows: size.row, cols: size.col, rowStep: stride.row, colStep: stride.col, ring: NO_RING },
    ...{ values: data, offset: slice * stride.slice + channel * stride.channel },
  };
}
