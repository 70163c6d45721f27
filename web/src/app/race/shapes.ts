import type { ConvDesc } from '../../protocol/problem';

/** A layer of a known network, or an extreme shape. */
export interface NamedShape {
  readonly name: string;
  readonly note: string;
  readonly desc: ConvDesc;
}

type Sizes = Pick<ConvDesc, 'n' | 'h' | 'w' | 'c' | 'k' | 'kh' | 'kw'>;

const PLAIN: Omit<ConvDesc, keyof Sizes> = {
  ...{ layout: 'nhwc', stride_h: 1, stride_w: 1, dilation_h: 1, dilation_w: 1, groups: 1 },
  ...{ padding_mode: 'explicit_sides', padding: { top: 0, bottom: 0, left: 0, right: 0 } },
};

const shape = (name: string, note: string, sizes: Sizes & Partial<ConvDesc>): NamedShape => ({
  name,
  note,
  desc: { ...PLAIN, ...sizes },
});

const around = (cells: number) => ({ padding: { top: cells, bottom: cells, left: cells, right: cells } });

/** Equal to tests/problems/named_shapes.json, which all benchmarks of this project use. */
export const NAMED_SHAPES: readonly NamedShape[] = [
  shape('S1', 'benchmark of the teaching notebook', { n: 128, h: 28, w: 28, c: 3, k: 16, kh: 3, kw: 3, ...around(1) }),
  shape('S2', 'a large kernel on small images', { n: 64, h: 11, w: 9, c: 16, k: 32, kh: 7, kw: 7, ...around(3) }),
  shape('S3', 'a wide kernel, large strides, two filters', {
    n: 4,
    h: 28,
    w: 46,
    c: 128,
    k: 2,
    kh: 8,
    kw: 16,
    stride_h: 5,
    stride_w: 5,
  }),
  shape('S4', 'odd sizes, not square', { n: 3, h: 32, w: 29, c: 7, k: 10, kh: 5, kw: 5, ...around(2) }),
  shape('R1', "ResNet's first layer", {
    n: 1,
    h: 224,
    w: 224,
    c: 3,
    k: 64,
    kh: 7,
    kw: 7,
    stride_h: 2,
    stride_w: 2,
    ...around(3),
  }),
  shape('R2', 'ResNet 3x3, first stage', { n: 1, h: 56, w: 56, c: 64, k: 64, kh: 3, kw: 3, ...around(1) }),
  shape('R3', 'ResNet 1x1, widening', { n: 1, h: 56, w: 56, c: 64, k: 256, kh: 1, kw: 1 }),
  shape('R4', 'ResNet 3x3, second stage', { n: 1, h: 28, w: 28, c: 128, k: 128, kh: 3, kw: 3, ...around(1) }),
  shape('R5', 'ResNet 3x3, third stage', { n: 1, h: 14, w: 14, c: 256, k: 256, kh: 3, kw: 3, ...around(1) }),
  shape('R6', 'ResNet 3x3, last stage', { n: 1, h: 7, w: 7, c: 512, k: 512, kh: 3, kw: 3, ...around(1) }),
  shape('R7', 'ResNet 1x1, strided', { n: 1, h: 56, w: 56, c: 256, k: 512, kh: 1, kw: 1, stride_h: 2, stride_w: 2 }),
  shape('R8', 'ResNet 3x3, strided', {
    n: 1,
    h: 56,
    w: 56,
    c: 64,
    k: 128,
    kh: 3,
    kw: 3,
    stride_h: 2,
    stride_w: 2,
    ...around(1),
  }),
  shape('D1', 'depthwise, large image', { n: 1, h: 112, w: 112, c: 32, k: 32, kh: 3, kw: 3, groups: 32, ...around(1) }),
  shape('D2', 'depthwise, many channels', {
    n: 1,
    h: 14,
    w: 14,
    c: 512,
    k: 512,
    kh: 3,
    kw: 3,
    groups: 512,
    ...around(1),
  }),
  shape('L1', 'dilated', {
    n: 1,
    h: 32,
    w: 32,
    c: 16,
    k: 16,
    kh: 3,
    kw: 3,
    dilation_h: 2,
    dilation_w: 2,
    ...around(2),
  }),
  shape('P1', 'tiny: the call overhead dominates', { n: 1, h: 8, w: 8, c: 1, k: 1, kh: 3, kw: 3, ...around(1) }),
];
