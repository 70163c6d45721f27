import { type Focus, groupOfFilter } from '../../geometry/focus';
import { cellAt, gridOf, type Position } from '../../geometry/grid';
import { areasInPlane, type Region } from '../../geometry/region';
import type { Cell, Geometry, TensorName } from '../../protocol/problem';
import type { ColorScale } from '../../ui/color-scale';
import { type GridData, NO_RING, type Spot } from '../../ui/grid/grid-data';
import type { Area } from '../../ui/grid/marks';
import type { PhotoPlanes } from '../../ui/grid/pixels';

/** One drawn rectangle of a tensor: its slice and channel, and the layout of its cells in memory. */
export interface Plane extends Pick<GridData, 'rows' | 'cols' | 'offset' | 'rowStep' | 'colStep' | 'ring'> {
  readonly tensor: TensorName;
  readonly slice: number;
  readonly channel: number;
}

/** The plane of a tensor that the focus shows. A bias is drawn as one row of all filters. */
export function planeOf(g: Geometry, tensor: TensorName, focus: Focus): Plane {
  const { size, stride } = gridOf(g, tensor);
  if (tensor === 'b' || tensor === 'db') {
    return {
      ...{ tensor, slice: 0, channel: 0, rows: 1, cols: size.channel },
      ...{ offset: 0, rowStep: 0, colStep: stride.channel, ring: NO_RING },
    };
  }
  const { slice, channel } = sliceInFocus(g, tensor, focus);
  return {
    tensor,
    slice,
    channel,
    rows: size.row,
    cols: size.col,
    offset: slice * stride.slice + channel * stride.channel,
    rowStep: stride.row,
    colStep: stride.col,
    // dx keeps the room of x's padding, so that its cells are below those of x.
    ring: tensor === 'x' || tensor === 'dx' ? g.padding : NO_RING,
  };
}

function sliceInFocus(g: Geometry, tensor: TensorName, { n, c, k }: Focus): { slice: number; channel: number } {
  if (tensor === 'w' || tensor === 'dw') return { slice: k, channel: c - groupOfFilter(g, k) * g.group_c };
  if (tensor === 'x' || tensor === 'dx') return { slice: n, channel: c };
  return { slice: n, channel: k };
}

export function gridData(plane: Plane, values: Float32Array): GridData {
  const { rows, cols, offset, rowStep, colStep, ring } = plane;
  return { rows, cols, offset, rowStep, colStep, values, ring: plane.tensor === 'dx' ? NO_RING : ring };
}

/** The scale of a photo with one channel. */
export const PHOTO: ColorScale = { maxAbs: 1, ramp: 'gray', transfer: 'linear' };

/** An image of x as a color photo; with fewer than three channels, the last one is also the others. */
export function photoOf(g: Geometry, n: number, values: Float32Array): PhotoPlanes {
  const channel = (c: number) => gridData(planeOf(g, 'x', { n, c: Math.min(c, g.c - 1), k: 0 }), values);
  return { red: channel(0), green: channel(1), blue: channel(2) };
}

/** The cell at a spot of the drawn grid; around x a cell of x_padded, around others null. */
export function cellOfSpot(g: Geometry, plane: Plane, { row, col }: Spot): Cell | null {
  const { tensor, slice, channel, offset, rowStep, colStep } = plane;
  if (isInPlane(plane, row, col)) return { tensor, index: offset + row * rowStep + col * colStep };
  if (tensor !== 'x') return null;
  return cellAt(g, 'x_padded', { slice, row: row + g.padding.top, col: col + g.padding.left, channel });
}

const isInPlane = ({ rows, cols }: Plane, row: number, col: number): boolean =>
  row >= 0 && row < rows && col >= 0 && col < cols;

export function spotOf(plane: Plane, position: Position): Spot | null {
  if (plane.tensor === 'b' || plane.tensor === 'db') return { row: 0, col: position.channel };
  if (position.slice !== plane.slice || position.channel !== plane.channel) return null;
  return { row: position.row, col: position.col };
}

/** The areas of a region on the plane. `region` is of the plane's tensor, or of x_padded on a plane of x. */
export function areasOn(g: Geometry, plane: Plane, region: Region): readonly Area[] {
  if (plane.tensor === 'b' || plane.tensor === 'db') {
    if (region.kind === 'list') return [];
    const { first, count, step } = region.channel;
    return [{ row: 0, col: first, rows: 1, cols: count, rowStep: 1, colStep: step }];
  }
  const { top, left } = region.tensor === 'x_padded' ? g.padding : { top: 0, left: 0 };
  return areasInPlane(g, region, plane.slice, plane.channel).map((area) => ({
    ...area,
    row: area.row - top,
    col: area.col - left,
  }));
}
