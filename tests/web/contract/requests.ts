import { type LayerOf, sentLayer } from '../../../web/src/layers/list';
import { descOn, type PlaneSizes, type SentLayer } from '../../../web/src/protocol/layers';
import type { ComputeRequest } from '../../../web/src/protocol/messages';
import type { ConvDesc, HiddenCells } from '../../../web/src/protocol/problem';
import { shapeSize, wShape, xShape } from '../../../web/src/protocol/shapes';
import { partsOfDesc } from '../../../web/src/state/problem';

/** 3x3 over 4x4, one channel, one filter, by default. */
export const makeDesc = (change: Partial<ConvDesc> = {}): ConvDesc => ({
  layout: 'nhwc',
  n: 1,
  h: 4,
  w: 4,
  c: 1,
  k: 1,
  kh: 3,
  kw: 3,
  stride_h: 1,
  stride_w: 1,
  dilation_h: 1,
  dilation_w: 1,
  groups: 1,
  padding_mode: 'explicit_sides',
  padding: { top: 0, bottom: 0, left: 0, right: 0 },
  ...change,
});

/** first, first + step, first + 2 * step, ... */
export const ramp = (length: number, first = 0, step = 1): Float32Array =>
  Float32Array.from({ length }, (_, i) => first + step * i);

/** What a test changes: members of the request, or of its only layer. */
export type RequestChange = Partial<
  Pick<ComputeRequest, 'x' | 'loss' | 'hidden'> & Pick<SentLayer, 'w' | 'b' | 'algorithms'>
>;

/** One convolution of ramps: x = 0, 1, 2, ..., w = 1, 2, 3, ..., dy = ones. */
export function makeRequest(desc: ConvDesc = makeDesc(), change: RequestChange = {}): ComputeRequest {
  const { input, fields } = partsOfDesc(desc);
  const { w = ramp(shapeSize(wShape(desc)), 1), b = null, algorithms = {}, ...whole } = change;
  return {
    type: 'compute',
    input,
    x: ramp(shapeSize(xShape(desc))),
    layers: [{ kind: 'conv', window: fields, options: {}, w, b, algorithms }],
    loss: { kind: 'given', dy: { kind: 'ones' } },
    hidden: [],
    ...whole,
  };
}

/** The layer of a request of one layer. */
export function ownLayer({ layers: [own] }: ComputeRequest): SentLayer {
  if (!own) throw new Error('there is no such layer');
  return own;
}

/** The description of the layer that a request of one layer has. */
export const descIn = (request: ComputeRequest): ConvDesc => descOn(ownLayer(request).window, request.input);

/** The request with other inputs, algorithms or hidden cells. */
export function changed(request: ComputeRequest, change: RequestChange): ComputeRequest {
  const { w, b, algorithms, ...whole } = change;
  const own = {
    ...ownLayer(request),
    ...(w !== undefined && { w }),
    ...(b !== undefined && { b }),
    ...(algorithms && { algorithms }),
  };
  return { ...request, ...whole, layers: request.layers.with(0, own) };
}

/** A hidden cell, or all cells, of the only layer. */
export const hiddenCell = (tensor: HiddenCells['tensor'], index: number | null): HiddenCells => ({
  ...{ layer: 0, tensor, index },
});

/** The layers around that of a request, and the sizes of x if it is not the first. */
interface Around {
  readonly before?: readonly SentLayer[];
  readonly after?: readonly SentLayer[];
  readonly input?: PlaneSizes;
}

/** The request with layers before and after its only one. */
export const among = (
  request: ComputeRequest,
  { before = [], after = [], input = request.input }: Around,
): ComputeRequest => ({ ...request, input, layers: [...before, ownLayer(request), ...after] });

/** A layer in a request, on an input of one channel. */
export const sent = (layer: LayerOf<Float32Array>): SentLayer =>
  sentLayer(layer, { layout: 'nhwc', n: 1, h: 1, w: 1, c: 1 });

export const sentConv = ({ desc, w, b }: { desc: ConvDesc; w: Float32Array; b: Float32Array | null }): SentLayer =>
  sent({ kind: 'conv', fields: partsOfDesc(desc).fields, w, b });

export const RELU = sent({ kind: 'relu', fields: {} });
