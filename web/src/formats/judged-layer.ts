import { type ConvDesc, type Layout, RESULTS, type Shape, TENSORS, type TensorName } from '../protocol/problem';
import { checkDesc, resolvePadding, shapeSize, xShape, yShape } from '../protocol/shapes';
import type { LayerVerdict } from '../protocol/verdict';
import { countOf } from './format';
import { arrange, orderOf } from './layouts';

/** A judged layer of a file as a problem of the page. */

/** A judged layer as a problem of the page. */
export interface OpenableLayer {
  readonly desc: ConvDesc;
  /** The order of the axes in the file, and their sizes. */
  readonly orders: Readonly<Record<'x' | 'w' | 'y' | 'b', Order>>;
}

interface Order {
  readonly axes: string;
  readonly shape: readonly number[];
}

/** Why the page cannot show a layer: it is none of its layers, fits no geometry, or lacks x and w; or its sizes. */
export type NotShown = 'kind' | 'geometry' | 'inputs' | { readonly sizes: string };

/** The arrays of a file, by the indices of a verdict. */
interface Shapes {
  readonly tensors: readonly { readonly shape: readonly number[] }[];
}

const sizeOf = ({ axes, shape }: Order, letter: string): number => shape[axes.indexOf(letter)] ?? 1;

/** Channels last, if they come after the columns. */
function layoutOf(x: Order, y: readonly number[] | undefined, filters: number): Layout {
  if (x.axes.includes('C')) return x.axes.indexOf('C') > x.axes.indexOf('W') ? 'nhwc' : 'nchw';
  return filters > 1 && y?.at(-1) === filters ? 'nhwc' : 'nchw';
}

/** The page's padding mode, if it gives the same padding. */
function withPadding(desc: ConvDesc, [top = 0, bottom = 0, left = 0, right = 0]: readonly number[]): ConvDesc {
  const own = resolvePadding(desc);
  const isOwn = own.top === top && own.bottom === bottom && own.left === left && own.right === right;
  return isOwn ? desc : { ...desc, padding_mode: 'explicit_sides', padding: { top, bottom, left, right } };
}

/** `before`: the padding mode stays if it gives the same padding. */
export function openable(
  layer: LayerVerdict,
  { tensors }: Shapes,
  before: ConvDesc,
): OpenableLayer | { readonly why: NotShown } {
  const { kind, geometry, arrays } = layer;
  if (kind !== 'conv' && kind !== 'conv1d') return { why: 'kind' };
  if (!geometry) return { why: 'geometry' };
  const shapeOf = (...indices: readonly (number | undefined)[]) => {
    const index = indices.find((one) => one !== undefined);
    return index === undefined ? undefined : tensors[index]?.shape;
  };
  const [image, kernel] = [shapeOf(arrays.x, arrays.dx), shapeOf(arrays.w, arrays.dw)];
  if (!image || !kernel || (arrays.x === undefined && arrays.w === undefined)) {
    return { why: 'inputs' };
  }
  // A convolution along one axis has one row.
  const x = { axes: geometry.order.x.replace('L', 'W'), shape: image };
  const w = { axes: (geometry.order.w ?? 'OIHW').replace('L', 'W'), shape: kernel };
  const isDepthwise = w.axes.includes('M');
  const k = isDepthwise ? sizeOf(w, 'C') * sizeOf(w, 'M') : sizeOf(w, 'O');
  const sizes = { n: sizeOf(x, 'N'), h: sizeOf(x, 'H'), w: sizeOf(x, 'W'), c: sizeOf(x, 'C') };
  const layout = layoutOf(x, shapeOf(arrays.y, arrays.dy), k);
  const [kh, kw] = [sizeOf(w, 'H'), sizeOf(w, 'W')];
  const { groups, stride, dilation } = geometry;
  const [stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1] = [...stride, ...dilation];
  const moved = { stride_h, stride_w, dilation_h, dilation_w, groups };
  const desc = withPadding({ ...before, ...sizes, ...moved, layout, k, kh, kw }, geometry.padding);
  const error = checkDesc(desc);
  if (error) return { why: { sizes: error.message } };
  const pixels = (full: readonly number[]): Order => ({ axes: layout === 'nhwc' ? 'NHWC' : 'NCHW', shape: full });
  const inputs = isDepthwise ? 1 : sizeOf(w, 'I');
  const weights = isDepthwise ? w.axes.replace('C', 'I').replace('M', 'O') : w.axes;
  const letters: Readonly<Record<string, number>> = { H: kh, W: kw, I: inputs, O: k };
  return {
    desc,
    orders: {
      ...{ x: pixels(xShape(desc)), y: pixels(yShape(desc)), b: { axes: 'O', shape: [k] } },
      w: { axes: weights, shape: [...weights].map((letter) => letters[letter] ?? 1) },
    },
  };
}

/** A gradient has the order of its tensor. */
const orderIn = ({ orders }: OpenableLayer, name: TensorName): Order =>
  orders[name.replace('d', '') as keyof typeof orders];

export type LayerValues = Readonly<Partial<Record<TensorName, Float32Array>>>;

/** The values of the layer's arrays in the order of the page, as far as the file has them. */
export function valuesOf(
  { arrays }: LayerVerdict,
  layer: OpenableLayer,
  read: ReadonlyMap<number, { readonly values: Float32Array }>,
): LayerValues {
  const found = TENSORS.flatMap((name): readonly [TensorName, Float32Array][] => {
    const index = arrays[name];
    const tensor = index === undefined ? undefined : read.get(index);
    const order = orderIn(layer, name);
    // A result of another shape does not fit.
    if (!tensor || tensor.values.length !== countOf(order.shape)) return [];
    return [[name, arrange(tensor.values, order, orderOf(name, layer.desc.layout))]];
  });
  return Object.fromEntries(found);
}

/** The results that can be compared cell by cell. */
export const comparableOf = ({ arrays }: LayerVerdict, layer: OpenableLayer, { tensors }: Shapes) =>
  RESULTS.filter((name) => countOf(tensors[arrays[name] ?? -1]?.shape ?? []) === countOf(orderIn(layer, name).shape));

/** The upstream gradient that the layer was judged with; undefined: ones, or none is known. `shape`: of y. */
export function upstreamOf(
  { dy: origin }: LayerVerdict,
  shape: Shape,
  { y, dy }: { readonly [Name in 'y' | 'dy']?: Float32Array | null },
): Float32Array | undefined {
  if (origin === 'mean') return new Float32Array(shapeSize(shape)).fill(1 / shapeSize(shape));
  return (origin === 'file' ? dy : origin === 'y' ? y : null) ?? undefined;
}
