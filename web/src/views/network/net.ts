import { type Grid, gridOf, type Position, positionAt, shownAxesOf } from '../../geometry/grid';
import type { Content } from '../../protocol/messages';
import { type LayerKind, type LayerOf, type LayerResult, layerTitle } from '../../protocol/network';
import type { Geometry, Tensor } from '../../protocol/problem';

/** A network as the view draws it. A problem of one layer is a network, too. */
export interface Net {
  readonly layers: readonly NetLayer[];
  /** tensors[i] goes into layers[i]; the last one is the output. */
  readonly tensors: readonly NetTensor[];
  readonly loss: number | null;
}

export interface NetLayer extends LayerResult {
  /** Counted from 1. */
  readonly number: number;
  readonly kind: LayerKind;
  readonly title: string;
  readonly isOpen: boolean;
}

export interface NetTensor {
  readonly name: string;
  readonly grid: Grid;
  readonly value: Tensor;
  readonly gradient: Tensor;
}

/** The side of a tensor: its values, or their gradients below them. */
export type Side = 'value' | 'gradient';

export const nameOf = ({ name }: Pick<NetTensor, 'name'>, side: Side): string => (side === 'value' ? name : `d${name}`);

/** null: gradients are missing. */
export function netOf({ geometry, desc, tensors, loss, network }: Content): Net | null {
  const { x, y, dx, dy, w, b, dw, db } = tensors;
  if (!x || !y || !dx || !dy) return null;
  const own: LayerOf<null> = { kind: 'conv', desc, w: null, b: null };
  const kinds = [...(network?.before ?? []), own, ...(network?.after ?? [])];
  const one: LayerResult = { geometry, ...(w && { w }), ...(b && { b }), ...(dw && { dw }), ...(db && { db }) };
  const results = network?.layers ?? [one];
  const layers = results.map((result, i): NetLayer => {
    const layer = kinds[i] ?? own;
    return { ...result, number: i + 1, kind: layer.kind, title: layerTitle(layer), isOpen: layer === own };
  });
  const values = network?.values ?? [x, y];
  const gradients = network?.gradients ?? [dx, dy];
  const grids = [
    ...layers.map((layer) => gridsOf(layer.geometry).x),
    ...layers.slice(-1).map((layer) => gridsOf(layer.geometry).y),
  ];
  return {
    layers,
    loss: network ? network.loss : (loss?.value ?? null),
    tensors: grids.flatMap((grid, i) => {
      const [value, gradient] = [values[i], gradients[i]];
      const name = i === 0 ? 'x' : layers.length === 1 ? 'y' : `y${i}`;
      return value && gradient ? [{ name, grid, value, gradient }] : [];
    }),
  };
}

const known = new WeakMap<Geometry, Readonly<Record<'x' | 'y', Grid>>>();

/** The same objects for the same geometry: what draws them need not be drawn again. */
function gridsOf(g: Geometry): Readonly<Record<'x' | 'y', Grid>> {
  const grids = known.get(g) ?? { x: gridOf(g, 'x'), y: gridOf(g, 'y') };
  known.set(g, grids);
  return grids;
}

/** A cell of a network. */
export interface Place {
  readonly at: number;
  readonly side: Side;
  readonly index: number;
}

/** "dy2.17", in links. */
export const placeText = (net: Net, { at, side, index }: Place): string => {
  const tensor = net.tensors[at];
  return tensor ? `${nameOf(tensor, side)}.${index}` : '';
};

/** null: there is no such cell. */
export function placeOf(net: Net, text: unknown): Place | null {
  const [name = '', digits = ''] = String(text).split('.');
  for (const [at, tensor] of net.tensors.entries()) {
    for (const side of ['value', 'gradient'] as const) {
      const isCell = /^\d+$/.test(digits) && Number(digits) < tensor.grid.cells;
      if (isCell && nameOf(tensor, side) === name) return { at, side, index: Number(digits) };
    }
  }
  return null;
}

/** "dy2[3,4]", with the other indices where there are several. */
export function labelOf(tensor: Pick<NetTensor, 'name' | 'grid'>, side: Side, index: number): string {
  const position = positionAt(tensor.grid, index);
  return `${nameOf(tensor, side)}[${shownAxesOf(tensor.grid)
    .map((axis) => position[axis])
    .join(',')}]`;
}

export const positionOf = (net: Net, { at, index }: Place): Position | null => {
  const tensor = net.tensors[at];
  return tensor ? positionAt(tensor.grid, index) : null;
};

/** The shown channel of each tensor; at first that of the pinned cell. */
export function channelsOf(net: Net, chosen: unknown, pinned: Place | null): number[] {
  const wanted = chosen === undefined ? [] : String(chosen).split('.').map(Number);
  const own = pinned && positionOf(net, pinned);
  return net.tensors.map(({ grid }, at) => {
    const channel = wanted[at] ?? (pinned?.at === at ? (own?.channel ?? 0) : 0);
    return Number.isInteger(channel) && channel >= 0 && channel < grid.size.channel ? channel : 0;
  });
}
