import type { Geometry } from '../protocol/problem';
import { flat, isPadded, NUMPY_COL2IM, numpyCropped, numpySizes, numpyWindows, pairOf, type Texts } from './code';

/** Code of pooling with what differs between its kinds. */

/** NumPy, with the windows of im2col. `value`: of the padding; `toY`: from the windows. */
export function numpyPool(g: Geometry, value: string, toY: (back: string) => Texts): Texts {
  const nhwc = g.layout === 'nhwc';
  return [
    numpySizes(g),
    !nhwc && 'x_last = x.transpose(0, 2, 3, 1)',
    numpyWindows(nhwc ? 'x' : 'x_last', value),
    toY(nhwc ? '' : '.transpose(0, 3, 1, 2)'),
  ];
}

/** NumPy: dx. `toWindows`: windows_dx from dy_last. */
export function numpyPoolBackward(g: Geometry, toWindows: Texts): Texts {
  const nhwc = g.layout === 'nhwc';
  return [
    nhwc ? 'dy_last = dy' : 'dy_last = dy.transpose(0, 2, 3, 1)',
    toWindows,
    NUMPY_COL2IM,
    numpyCropped(nhwc ? '' : '.transpose(0, 3, 1, 2)'),
  ];
}

interface PoolCode {
  /** "max_pool2d" */
  readonly call: string;
  /** An argument for the value of the padding. */
  readonly value: string;
  /** The mean of the cells in x alone. */
  readonly excludesPadding?: boolean;
}

/**
 * The pools of PyTorch pad both sides of an axis equally, by at most half of the window: other padding is added first. A
 * maximum must not choose it.
 */
export function pytorchPool(g: Geometry, { call, value, excludesPadding = false }: PoolCode): Texts {
  const { padding: pad } = g;
  const nhwc = g.layout === 'nhwc';
  const x = nhwc ? 'x_nchw' : 'x';
  const fits = pad.top === pad.bottom && pad.left === pad.right && 2 * pad.top <= g.kh && 2 * pad.left <= g.kw;
  const window = `${pairOf(g.kh, g.kw)}, stride=${pairOf(g.stride_h, g.stride_w)}`;
  const padded = (tensor: string, fill: string) =>
    `F.pad(${tensor}, (${pad.left}, ${pad.right}, ${pad.top}, ${pad.bottom})${fill})  # left, right, top, bottom`;
  const sides = isPadded(g) && [`padding=${pairOf(pad.top, pad.left)}`, excludesPadding && 'count_include_pad=False'];
  return [
    nhwc && 'x_nchw = x.permute(0, 3, 1, 2)',
    fits
      ? `y = F.${call}(${flat([x, window, sides]).join(', ')})`
      : [
          `x_padded = ${padded(x, value)}`,
          `y = F.${call}(x_padded, ${window})`,
          excludesPadding && [
            `is_inside = ${padded(`torch.ones_like(${x})`, '')}`,
            `y = y / F.${call}(is_inside, ${window})`,
          ],
        ],
    nhwc && 'y = y.permute(0, 2, 3, 1)  # to NHWC',
  ];
}

/** TensorFlow with channels last, for a CPU, and without its own padding: a mean counts that only if it is added first. */
export function tensorflowPool(g: Geometry, { call, value, excludesPadding = false }: PoolCode): Texts {
  const { padding: pad } = g;
  const nhwc = g.layout === 'nhwc';
  const x = nhwc ? 'x' : 'x_last';
  const padded = (tensor: string, fill: string) =>
    `tf.pad(${tensor}, [[0, 0], [${pad.top}, ${pad.bottom}], [${pad.left}, ${pad.right}], [0, 0]]${fill})`;
  const pooled = (tensor: string) =>
    `tf.nn.${call}(${tensor}, [${g.kh}, ${g.kw}], [${g.stride_h}, ${g.stride_w}], "VALID")`;
  return [
    !nhwc && 'x_last = tf.transpose(x, [0, 2, 3, 1])  # channels last',
    isPadded(g) && `x_padded = ${padded(x, value)}`,
    `y = ${pooled(isPadded(g) ? 'x_padded' : x)}`,
    isPadded(g) &&
      excludesPadding && [`is_inside = ${padded(`tf.ones_like(${x})`, '')}`, `y = y / ${pooled('is_inside')}`],
    !nhwc && 'y = tf.transpose(y, [0, 3, 1, 2])  # to NCHW',
  ];
}

/** Windows that read one cell, at most. */
export const windowsOfCell = (g: Geometry): number => Math.ceil(g.kh / g.stride_h) * Math.ceil(g.kw / g.stride_w);
