import { type LayerOf, sentLayer } from '../../../web/src/layers/list';
import type { ComputeRequest } from '../../../web/src/protocol/messages';
import type { SentLayer } from '../../../web/src/protocol/network';
import { type ConvDesc, PASSES } from '../../../web/src/protocol/problem';
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

/** All four passes over ramps: x = 0, 1, 2, ..., w = 1, 2, 3, ..., dy = ones. */
export function makeRequest(desc: ConvDesc = makeDesc(), change: Partial<ComputeRequest> = {}): ComputeRequest {
  return {
    type: 'compute',
    desc,
    x: ramp(shapeSize(xShape(desc))),
    w: ramp(shapeSize(wShape(desc)), 1),
    b: null,
    dy: { kind: 'ones' },
    passes: PASSES,
    algorithms: {},
    ...change,
  };
}

/** A layer of a network in a request, on an input of one channel. */
export const sent = (layer: LayerOf<Float32Array>): SentLayer =>
  sentLayer(layer, { layout: 'nhwc', n: 1, h: 1, w: 1, c: 1 });

export const sentConv = ({ desc, w, b }: { desc: ConvDesc; w: Float32Array; b: Float32Array | null }): SentLayer =>
  sent({ kind: 'conv', fields: partsOfDesc(desc).fields, w, b });

export const RELU = sent({ kind: 'relu', fields: {} });
