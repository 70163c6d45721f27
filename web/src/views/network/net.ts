import { type Grid, gridOf, indexAt, type Position, positionAt, shownAxesOf } from '../../geometry/grid';
import { swappedName } from '../../geometry/labels';
import { type Reach, reachesOf } from '../../geometry/reach';
import { isTransposed } from '../../layers/list';
import type { LayerScene, NamedCells } from '../../layers/view';
import { numberOf } from '../../protocol/layers';
import type { Content, LayerContent } from '../../protocol/messages';
import type { Cell, Geometry, Tensor } from '../../protocol/problem';
import type { LayerSumProps } from '../shared/view-model';

/** A network as the view draws it. A problem of one layer is a network, too. */
export interface Net {
  readonly layers: readonly NetLayer[];
  /** tensors[i] goes into layers[i]; the last one is the output. */
  readonly tensors: readonly NetTensor[];
  readonly loss: number | null;
}

export interface NetLayer extends LayerContent {
  /** Counted from 1. */
  readonly number: number;
  readonly isOpen: boolean;
  /** Weights and bias of a convolution, with their gradients. */
  readonly parts: Readonly<Partial<Record<LayerPart, NetTensor>>>;
}

export const LAYER_PARTS = ['w', 'b'] as const;
export type LayerPart = (typeof LAYER_PARTS)[number];

export interface NetTensor {
  readonly name: string;
  readonly grid: Grid;
  readonly value: Tensor;
  readonly gradient: Tensor;
}

/** The side of a tensor: its values, or their gradients below them. */
export type Side = 'value' | 'gradient';

export const sideName = ({ name }: Pick<NetTensor, 'name'>, side: Side): string =>
  side === 'value' ? name : `d${name}`;

/** null: gradients are missing. */
export function netOf({ index, layers: results, tensors: { x, y, dx, dy } }: Content): Net | null {
  if (!x || !y || !dx || !dy) return null;
  const layers = results.map((result, i): NetLayer => {
    const parts = partsOf(result, numberOf(results, i));
    return { ...result, number: i + 1, isOpen: i === index, parts };
  });
  const end = results.at(-1);
  const last = end?.tensors;
  const values = [...results.map((result) => result.tensors.x), last?.y];
  const gradients = [...results.map((result) => result.tensors.dx), last?.dy];
  const grids = [...layers.map((layer) => gridsOf(layer).x), ...layers.slice(-1).map((layer) => gridsOf(layer).y)];
  return {
    layers,
    loss: end?.loss?.value ?? null,
    tensors: grids.flatMap((grid, i) => {
      const [value, gradient] = [values[i], gradients[i]];
      const name = i === 0 ? 'x' : `y${numberOf(layers, i - 1)}`;
      return value && gradient ? [{ name, grid, value, gradient }] : [];
    }),
  };
}

type Grids = Readonly<Record<'x' | 'y' | 'w' | 'b', Grid>>;
const known = new WeakMap<Geometry, Grids>();

/** The same objects for the same geometry: panels compare them. */
function gridsOf({ geometry: g, kind }: Pick<LayerContent, 'geometry' | 'kind'>): Grids {
  const isSwapped = isTransposed(kind);
  const [x, y] = isSwapped ? ([gridOf(g, 'y'), gridOf(g, 'x')] as const) : ([gridOf(g, 'x'), gridOf(g, 'y')] as const);
  const grids = known.get(g) ?? {
    ...{ x: { ...x, name: 'x' }, y: { ...y, name: 'y' }, w: gridOf(g, 'w') },
    b: inOneRow(gridOf(isSwapped ? { ...g, k: g.c } : g, 'b')),
  };
  known.set(g, grids);
  return grids;
}

/** A bias is drawn as one row of all filters. */
const inOneRow = (grid: Grid): Grid => ({
  ...grid,
  size: { slice: 1, row: 1, col: grid.size.channel, channel: 1 },
  stride: { ...grid.stride, col: grid.stride.channel },
});

function partsOf(layer: LayerContent, number: string): NetLayer['parts'] {
  const { w, b, dw, db } = layer.tensors;
  const grids = gridsOf(layer);
  return {
    ...(w && dw && { w: { name: `w${number}`, grid: grids.w, value: w, gradient: dw } }),
    ...(b && db && { b: { name: `b${number}`, grid: grids.b, value: b, gradient: db } }),
  };
}

/** A tensor of a network: `at` is its number, or with `of` that of its layer, from 0. */
export interface NetTensorId {
  readonly at: number;
  readonly of?: LayerPart | undefined;
}

export const tensorOf = ({ layers, tensors }: Net, { at, of }: NetTensorId): NetTensor | undefined =>
  of ? layers[at]?.parts[of] : tensors[at];

/** All tensors, those between the layers first. */
const allOf = ({ layers, tensors }: Net): readonly NetTensorId[] => [
  ...tensors.map((_, at) => ({ at })),
  ...layers.flatMap(({ parts }, at) => LAYER_PARTS.flatMap((of) => (parts[of] ? [{ at, of }] : []))),
];

/** A cell of a network. */
export interface Place extends NetTensorId {
  readonly side: Side;
  readonly index: number;
}

/** "dy2.17", in links. */
export const placeText = (net: Net, place: Place): string => {
  const tensor = tensorOf(net, place);
  return tensor ? `${sideName(tensor, place.side)}.${place.index}` : '';
};

/** null: there is no such cell. */
export function placeOf(net: Net, text: unknown): Place | null {
  const [name = '', digits = ''] = String(text).split('.');
  for (const id of allOf(net)) {
    const tensor = tensorOf(net, id);
    for (const side of ['value', 'gradient'] as const) {
      const isCell = tensor && /^\d+$/.test(digits) && Number(digits) < tensor.grid.cells;
      if (isCell && sideName(tensor, side) === name) return { ...id, side, index: Number(digits) };
    }
  }
  return null;
}

/** "dy2[3,4]", with the other indices where there are several. */
export function netCellLabel(tensor: Pick<NetTensor, 'name' | 'grid'>, side: Side, index: number): string {
  const position = positionAt(tensor.grid, index);
  if (tensor.grid.name === 'b') return `${sideName(tensor, side)}[${index}]`;
  return `${sideName(tensor, side)}[${shownAxesOf(tensor.grid)
    .map((axis) => position[axis])
    .join(',')}]`;
}

export const placePosition = (net: Net, place: Place): Position | null => {
  const tensor = tensorOf(net, place);
  return tensor ? positionAt(tensor.grid, place.index) : null;
};

/** The shown channel of each tensor; at first that of the pinned cell. */
export function channelsOf(net: Net, chosen: unknown, pinned: Place | null): number[] {
  const wanted = chosen === undefined ? [] : String(chosen).split('.').map(Number);
  const own = pinned && placePosition(net, pinned);
  return net.tensors.map(({ grid }, at) => {
    const channel = wanted[at] ?? (pinned?.at === at && !pinned.of ? (own?.channel ?? 0) : 0);
    return Number.isInteger(channel) && channel >= 0 && channel < grid.size.channel ? channel : 0;
  });
}

/** The shown plane of a tensor: of weights that between the shown channels. */
export function netPlane(net: Net, { at, of }: NetTensorId, slice: number, channels: readonly number[]) {
  if (!of) return { slice, channel: channels[at] ?? 0 };
  const { geometry: g, kind = '' } = net.layers[at] ?? {};
  const ends = [channels[at] ?? 0, channels[at + 1] ?? 0];
  const [from = 0, to = 0] = isTransposed(kind) ? ends.reverse() : ends;
  if (of === 'b' || !g) return { slice: 0, channel: 0 };
  const first = Math.floor(to / g.group_k) * g.group_c;
  return { slice: to, channel: from >= first && from < first + g.group_c ? from - first : 0 };
}

/** A cell as one of layer i alone, in the x, w, b or y of its geometry; null: of another layer. */
export function cellBeside({ layers }: Net, i: number, { at, of, side, index }: Place): Cell | null {
  const name = of ? (at === i ? of : null) : at === i ? 'x' : at === i + 1 ? 'y' : null;
  const tensor = name && (side === 'value' ? name : (`d${name}` as const));
  return tensor && { tensor: isTransposed(layers[i]?.kind ?? '') ? swappedName(tensor) : tensor, index };
}

/** A computed cell of a layer with weights, and that layer alone; null: another cell. */
export function layerSumOf(net: Net, place: Place): Omit<LayerSumProps, 'onCell'> | null {
  const layer = place.of || place.side === 'gradient' ? place.at : place.at - 1;
  const own = net.layers[layer];
  const cell = cellBeside(net, layer, place);
  if (!own?.tensors.w || !cell || cell.tensor === 'w' || cell.tensor === 'b') return null;
  const { geometry, tensors, kind } = own;
  if (!isTransposed(kind)) return { layer, geometry, cell, tensors };
  if (cell.tensor === 'db') return null;
  const { x, y, dx, dy, w, b, dw } = tensors;
  const swapped = Object.entries({ x: dy, y: dx, dx: y, dy: x, w, b, dw }).filter(([, tensor]) => tensor);
  return { layer, geometry, cell, tensors: Object.fromEntries(swapped), isTransposed: true };
}

/** The place of a cell of layer i alone; the reverse of cellBeside. */
export function placeBeside({ layers }: Net, i: number, { tensor: named, index }: Cell): Place | null {
  const tensor = isTransposed(layers[i]?.kind ?? '') ? swappedName(named) : named;
  const side = tensor.startsWith('d') ? 'gradient' : 'value';
  const name = tensor.replace(/^d/, '');
  if (name === 'w' || name === 'b') return { at: i, of: name, side, index };
  return name === 'x' || name === 'y' ? { at: name === 'x' ? i : i + 1, side, index } : null;
}

/** Layer i with the tensors around it, for layers/views.ts; null: there is no such layer. */
export function sceneOf(net: Net, i: number): LayerScene<unknown> | null {
  const [layer, x, y] = [net.layers[i], net.tensors[i], net.tensors[i + 1]];
  if (!layer || !x || !y) return null;
  const { geometry: g, kind, fields, parts, winners, averages } = layer;
  const isSwapped = isTransposed(kind);
  const cells = (tensor: NetTensor, side: Side): NamedCells => ({
    name: sideName(tensor, side),
    value: (index) => tensor[side].data[index] ?? 0,
    label: (index) => netCellLabel(tensor, side, index),
  });
  return {
    ...{ fields, geometry: g, winners, averages, hasBias: parts.b !== undefined, weights: parts.w?.name ?? 'w' },
    ...{ x: cells(x, 'value'), y: cells(y, 'value'), dy: cells(y, 'gradient') },
    reads: (index) => cellsOf(x, beside(g, isSwapped, positionAt(y.grid, index))),
    usedBy: (index) => cellsOf(y, beside(g, !isSwapped, positionAt(x.grid, index))),
  };
}

/** The cells of y that a cell of x reaches, or of x that one of y is computed from; x and y of the geometry. */
const beside = (g: Geometry, isOfX: boolean, position: Position): Reach | undefined =>
  isOfX ? reachesOf([g], 0, position)[1] : reachesOf([g], 1, position)[0];

/** Flat indices of a reach. */
function cellsOf({ grid }: NetTensor, reach: Reach | undefined): readonly number[] {
  if (!reach) return [];
  const { slice, rows, cols, channels } = reach;
  return rows.flatMap((row) =>
    cols.flatMap((col) =>
      Array.from({ length: channels.count }, (_, i) => indexAt(grid, { slice, row, col, channel: channels.first + i })),
    ),
  );
}
