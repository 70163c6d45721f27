import type { ReadonlySignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { indexAt } from '../../geometry/grid';
import { scaleEnd } from '../../ui/color-scale';
import { type GridData, isData, NO_RING, type Spot } from '../../ui/grid/grid-data';
import type { Thumbnail } from '../../ui/grid/MiniMap';
import { SliceChooser } from '../../ui/grid/SliceChooser';
import { fitOf } from '../kit/fit';
import { GridPanel } from '../kit/GridPanel';
import { useDerived, useScale } from '../kit/view-model';
import '../kit/strips.css';
import { labelOf, type Net, nameOf, type Place, type Side } from './net';
import { reachMarks, routeMarks } from './net-marks';

interface NetPanelProps {
  readonly net: Net;
  readonly at: number;
  readonly side: Side;
  readonly slice: number;
  readonly channel: number;
  /** Cell size in CSS pixels. */
  readonly size: number;
  /** Width in CSS pixels. */
  readonly width: number;
  readonly subtitle: string;
  readonly note?: string | undefined;
  readonly pointed: ReadonlySignal<Place | null>;
  readonly onPoint: (place: Place | null) => void;
  readonly onPick: (place: Place) => void;
  readonly onEdit?: ((index: number, value: number) => void) | undefined;
  readonly onChannel: (channel: number) => void;
}

/** A tensor between two layers, or its gradient: one plane of it. */
export function NetPanel(props: NetPanelProps) {
  const { net, at, side, slice, channel, size, width, pointed, onPoint, onPick, onEdit, onChannel } = props;
  const tensor = net.tensors[at] as Net['tensors'][number];
  const { grid } = tensor;
  const values = tensor[side];
  const data = useMemo(() => planeData(tensor, side, slice, channel), [tensor, side, slice, channel]);
  const isFine = size < ROUTED;
  const routes = useMemo(
    () => (isFine ? [] : routeMarks(net, { at, side, slice, channel })),
    [net, at, side, slice, channel, isFine],
  );
  const marks = useDerived(
    () => [...routes, ...reachMarks(net, { at, side, slice, channel }, pointed.value)],
    [routes, net, at, side, slice, channel, pointed],
  );
  const scale = useScale(scaleEnd(values.stats));
  const handlers = useMemo(() => {
    const placeOf = ({ row, col }: Spot): Place => ({ at, side, index: indexAt(grid, { slice, row, col, channel }) });
    return {
      onHover: (spot: Spot | null) => onPoint(spot && isData(data, spot) ? placeOf(spot) : null),
      onMove: (spot: Spot) => onPoint(placeOf(spot)),
      onPick: (spot: Spot) => onPick(placeOf(spot)),
      onEdit: onEdit && ((spot: Spot, value: number) => onEdit(placeOf(spot).index, value)),
      nameOf: (spot: Spot) => labelOf(tensor, side, placeOf(spot).index),
    };
  }, [tensor, grid, data, at, side, slice, channel, onPoint, onPick, onEdit]);
  const name = nameOf(tensor, side);
  const { row, col, channel: channels } = grid.size;
  const planes = channels > 1 ? ` × ${channels}` : '';
  return (
    <GridPanel
      tensor={at === 0 ? (side === 'value' ? 'x' : 'dx') : side === 'value' ? 'y' : 'dy'}
      group={channels > 1 ? `${name}, channel ${channel} of ${row} × ${col}${planes}` : null}
      title={name}
      subtitle={props.subtitle}
      size={side === 'value' ? `${row}×${col}${channels > 1 ? `×${channels}` : ''}` : ''}
      scale={scale}
      legend={false}
      label={channels > 1 ? `${name}[c=${channel}]` : name}
      data={data}
      fit={fitOf(row, col, size)}
      marks={marks}
      events={handlers}
      note={props.note}
      below={
        channels > 1 && (
          <div class="strips">
            <SliceChooser
              label={`channel of ${name}`}
              axis="c"
              first={0}
              count={channels}
              sliceAt={(index): Thumbnail => ({ index, data: planeData(tensor, side, slice, index), involved: true })}
              scale={scale}
              selected={channel}
              most={Math.max(1, Math.floor((width - LETTER) / THUMBNAIL))}
              onSelect={onChannel}
            />
          </div>
        )
      }
    />
  );
}

/** Least cell size for marks of single cells, in CSS pixels: smaller ones would cover the values. */
const ROUTED = 6;

/** As in kit/stage/layout.ts. */
const THUMBNAIL = 26;
const LETTER = 16;

function planeData({ grid, ...sides }: Net['tensors'][number], side: Side, slice: number, channel: number): GridData {
  const { size, stride } = grid;
  return {
    ...{ rows: size.row, cols: size.col, rowStep: stride.row, colStep: stride.col, ring: NO_RING },
    ...{ values: sides[side].data, offset: slice * stride.slice + channel * stride.channel },
  };
}
