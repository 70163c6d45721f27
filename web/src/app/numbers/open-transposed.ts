import { countOf, type FileContents, type FileTensor } from '../../formats/format';
import { upstreamOf } from '../../formats/judged-layer';
import { arrange, orderOf } from '../../formats/layouts';
import type { TransposedFields } from '../../layers/conv-transpose/core';
import { windowOf } from '../../layers/list';
import { type PlaneSizes, shapeOfSizes } from '../../protocol/layers';
import { type ConvDesc, type Layout, NO_PADDING, type Shape } from '../../protocol/problem';
import { bShape, checkDesc, wShape, xShape } from '../../protocol/shapes';
import type { LayerVerdict } from '../../protocol/verdict';
import { generated, type InputTensor } from '../../sources/inputs';
import { given, painted } from '../../sources/loss';
import { assembled, checkCosts, type EditResult } from '../../state/edits';
import { endOf, type Problem, problemOfLayer } from '../../state/problem';

/** A judged transposed convolution as the second layer of a network. Its first one, a convolution, copies x. */
export interface TransposedFile {
  readonly fields: TransposedFields;
  readonly input: PlaneSizes;
  /** Of the arrays x, y (also dy), w and b in the file: a letter for each axis of the page, and their sizes. */
  readonly orders: Readonly<
    Record<'x' | 'y' | 'w' | 'b', { readonly axes: string; readonly shape: readonly number[] }>
  >;
}

/** Its w on the page is that of the convolution from y to x: I are the channels of y there. */
const exchanged = (axes: string): string => axes.replace(/[IO]/g, (letter) => (letter === 'I' ? 'O' : 'I'));

/** Null: it is another kind, or the file has no x or w. */
export function transposedFile(layer: LayerVerdict, { tensors }: Pick<FileContents, 'tensors'>): TransposedFile | null {
  const { kind, geometry, arrays } = layer;
  const [image, kernel] = [tensors[arrays.x ?? -1]?.shape, tensors[arrays.w ?? -1]?.shape];
  if (kind !== 'conv_transpose' || !geometry || !image || !kernel) return null;
  const [pixels, weights] = [geometry.order.x, geometry.order.w ?? 'IOHW'].map((axes) => axes.replace('L', 'W')) as [
    string,
    string,
  ];
  const sizeIn = (axes: string, shape: readonly number[], letter: string) => shape[axes.indexOf(letter)] ?? 1;
  const layout: Layout = pixels.indexOf('C') > pixels.indexOf('W') ? 'nhwc' : 'nchw';
  const [n, h, w, c] = [...'NHWC'].map((letter) => sizeIn(pixels, image, letter)) as [number, number, number, number];
  const { stride, dilation, groups, output_padding = [] } = geometry;
  const [top = 0, bottom = 0, left = 0, right = 0] = geometry.padding;
  const k = sizeIn(weights, kernel, 'O') * groups;
  const fields: TransposedFields = {
    ...{ k, groups, kh: sizeIn(weights, kernel, 'H'), kw: sizeIn(weights, kernel, 'W') },
    ...{
      stride_h: stride[0] ?? 1,
      stride_w: stride[1] ?? 1,
      dilation_h: dilation[0] ?? 1,
      dilation_w: dilation[1] ?? 1,
    },
    ...{ output_padding_h: output_padding[0] ?? 0, output_padding_w: output_padding[1] ?? 0 },
    ...{ padding_mode: 'explicit_sides', padding: { top, bottom, left, right } },
  };
  const input: PlaneSizes = { layout, n, h, w, c };
  const y = windowOf({ kind: 'conv_transpose', fields }, input);
  const axes = orderOf('x', layout);
  return {
    ...{ fields, input },
    orders: {
      x: { axes, shape: shapeOfSizes(input) },
      y: { axes, shape: xShape(y) },
      w: { axes: exchanged(weights), shape: kernel },
      b: { axes: 'O', shape: [k] },
    },
  };
}

/** The network in place of the problem. `name`: of the file. */
export function editTransposed(
  before: Problem,
  layer: LayerVerdict,
  { fields, input, orders }: TransposedFile,
  read: ReadonlyMap<number, FileTensor>,
  name: string,
): EditResult {
  const { layout, n, h, w, c } = input;
  const valuesOf = (array: 'x' | 'w' | 'b' | 'dy' | 'y'): Float32Array | null => {
    const values = read.get(layer.arrays[array] ?? -1)?.values;
    const order = orders[array === 'dy' ? 'y' : array];
    return values && values.length === countOf(order.shape) ? arrange(values, order, orderOf(array, layout)) : null;
  };
  const tensor = (array: 'x' | 'w' | 'b', shape: Shape): InputTensor | null => {
    const data = valuesOf(array);
    return data && { shape, data, source: { kind: 'brought', name }, edited: false };
  };
  const copy: ConvDesc = {
    ...{ layout, n, h, w, c, k: c, groups: c, kh: 1, kw: 1, stride_h: 1, stride_w: 1, dilation_h: 1, dilation_w: 1 },
    ...{ padding_mode: 'explicit_sides', padding: NO_PADDING },
  };
  const error = checkDesc(copy);
  if (error) return { error };
  const window = windowOf({ kind: 'conv_transpose', fields }, input);
  const [x, own] = [tensor('x', xShape(copy)), tensor('w', wShape(window))];
  if (!x || !own) return { error: { code: 'length_mismatch', field: 'x', message: 'x or w does not fit its sizes' } };
  const ones = generated({ kind: 'constant', value: 1 }, 'weights', layout, wShape(copy));
  const alone = problemOfLayer(copy, { x, w: ones, b: null, loss: given({ kind: 'ones' }) });
  const stamps = { kind: 'conv_transpose', fields, w: own, b: tensor('b', bShape(fields)), algorithms: {} } as const;
  const edited = assembled({ input, x, layers: [...alone.layers, stamps] }, alone);
  if ('error' in edited) return edited;
  const end = endOf(edited.problem);
  const upstream = upstreamOf(layer, end, { y: valuesOf('y'), dy: valuesOf('dy') });
  const tooLarge = checkCosts(edited.problem, before);
  if (tooLarge) return { error: tooLarge };
  return upstream ? { problem: { ...edited.problem, loss: painted(end, upstream) } } : edited;
}
