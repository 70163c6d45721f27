import { flat, isPadded, type Texts } from '../layers/code';
import type { Geometry, Pass } from '../protocol/problem';
import { differentiated, GRADIENT_MARKS, makes, type PythonDialect, takes, viaNumpy } from './python';
import { networkParts } from './python-network';
import { type CodeLine, indented, linesOf, type Subject } from './snippet';

/** TensorFlow: the call that an engineer writes, and the steps of the check, which run on every processor. */

/** The padding of "SAME" before and after an axis: the odd cell is at the end. */
function sameSides(size: number, out: number, stride: number, dilated: number): readonly [number, number] {
  const total = Math.max((out - 1) * stride + dilated - size, 0);
  return [Math.floor(total / 2), Math.ceil(total / 2)];
}

/** "VALID", "SAME", or the sides in the order of the layout. */
function paddingText(g: Geometry): string {
  const { top, bottom, left, right } = g.padding;
  if (!isPadded(g)) return '"VALID"';
  const [rows, cols] = [sameSides(g.h, g.oh, g.stride_h, g.dilated_kh), sameSides(g.w, g.ow, g.stride_w, g.dilated_kw)];
  const isSame = g.oh === Math.ceil(g.h / g.stride_h) && g.ow === Math.ceil(g.w / g.stride_w);
  if (isSame && `${rows},${cols}` === `${top},${bottom},${left},${right}`) return '"SAME"';
  const sides = [`[${top}, ${bottom}]`, `[${left}, ${right}]`];
  return `[${(g.layout === 'nhwc' ? ['[0, 0]', ...sides, '[0, 0]'] : ['[0, 0]', '[0, 0]', ...sides]).join(', ')}]`;
}

/** The passes with tf.nn.conv2d or depthwise_conv2d, and tf.GradientTape. Weights are HWIO in both layouts. */
function tensorflowCode(subject: Subject, wanted: readonly Pass[]): readonly CodeLine[] {
  const { geometry: g, bias } = subject;
  const nhwc = g.layout === 'nhwc';
  const padding = paddingText(g);
  const isDilated = g.dilation_h * g.dilation_w > 1;
  // depthwise_conv2d takes one stride for both axes, and no dilation with a stride or with sides.
  const isDepthwise =
    g.groups > 1 &&
    g.group_c === 1 &&
    g.stride_h === g.stride_w &&
    (!isDilated || (g.stride_h === 1 && padding.startsWith('"')));
  const format = !nhwc && 'data_format="NCHW"';
  const w = nhwc ? 'w' : 'w_hwio';
  const strides = nhwc ? [1, g.stride_h, g.stride_w, 1] : [1, 1, g.stride_h, g.stride_w];
  const settings = flat([
    `strides=[${(isDepthwise ? strides : [g.stride_h, g.stride_w]).join(', ')}]`,
    `padding=${padding}`,
    isDilated && `dilations=[${g.dilation_h}, ${g.dilation_w}]`,
    format,
  ]);
  const call = (name: string, by: string) => {
    const line = `y = tf.nn.${name}(${['x', by, ...settings].join(', ')})`;
    if (line.length <= 100) return line;
    return [`y = tf.nn.${name}(`, `    x, ${by},`, settings.map((one) => `    ${one},`), ')'];
  };
  return taped(subject, wanted, [
    !nhwc && 'w_hwio = tf.transpose(w, [2, 3, 1, 0])',
    isDepthwise
      ? [
          `w_depthwise = tf.reshape(${w}, [${g.kh}, ${g.kw}, ${g.c}, ${g.group_k}])  # filters of each channel`,
          call('depthwise_conv2d', 'w_depthwise'),
        ]
      : [g.groups > 1 && `# ${g.groups} groups: w has ${g.group_c} of ${g.c} channels`, call('conv2d', w)],
    bias && `y = tf.nn.bias_add(${flat(['y', 'b', format]).join(', ')})`,
  ]);
}

/**
 * The same with operations that have gradients on a CPU: channels last, no groups (x and w are split), and no dilation
 * (zeros are inserted between the weights instead).
 */
function portableCode(subject: Subject, wanted: readonly Pass[]): readonly CodeLine[] {
  const { geometry: g, bias } = subject;
  const { padding: pad } = g;
  const nhwc = g.layout === 'nhwc';
  const isDilated = g.dilation_h * g.dilation_w > 1;
  const [x, w] = nhwc ? ['x', 'w'] : ['x_last', 'w_last'];
  const padded = isPadded(g) ? 'x_padded' : x;
  const spread = isDilated ? 'w_spread' : w;
  const [rows, cols] = [g.kh * g.dilation_h, g.kw * g.dilation_w];
  const strides = `strides=[1, ${g.stride_h}, ${g.stride_w}, 1], padding="VALID"`;
  return taped(subject, wanted, [
    !nhwc && ['x_last = tf.transpose(x, [0, 2, 3, 1])  # channels last', 'w_last = tf.transpose(w, [2, 3, 1, 0])'],
    isPadded(g) &&
      `x_padded = tf.pad(${x}, [[0, 0], [${pad.top}, ${pad.bottom}], [${pad.left}, ${pad.right}], [0, 0]])`,
    isDilated && [
      '# zeros between the weights: dilation',
      `w_spread = tf.reshape(${w}, [${g.kh}, 1, ${g.kw}, 1, ${g.group_c}, ${g.k}])`,
      `w_spread = tf.pad(w_spread, [[0, 0], [0, ${g.dilation_h - 1}], [0, 0], [0, ${g.dilation_w - 1}], [0, 0], [0, 0]])`,
      `w_spread = tf.reshape(w_spread, [${rows}, ${cols}, ${g.group_c}, ${g.k}])[:${g.dilated_kh}, :${g.dilated_kw}]`,
    ],
    g.groups > 1
      ? [
          `groups = zip(tf.split(${padded}, ${g.groups}, axis=3), tf.split(${spread}, ${g.groups}, axis=3))`,
          `y = tf.concat([tf.nn.conv2d(xg, wg, ${strides}) for xg, wg in groups], axis=3)`,
        ]
      : `y = tf.nn.conv2d(${padded}, ${spread}, ${strides})`,
    bias && 'y = y + b',
    !nhwc && 'y = tf.transpose(y, [0, 3, 1, 2])  # to NCHW',
  ]);
}

/** The steps to y, and the gradients that a tape records. */
function taped(subject: Subject, wanted: readonly Pass[], toY: Texts): readonly CodeLine[] {
  const steps = flat(toY);
  const final = steps.findLast((step) => step.startsWith('y ='))?.slice(0, 12) ?? 'y =';
  const { inputs, made, forward, sums } = differentiated(subject, wanted, 'tf.reduce_sum(dy, axis');
  const isTaped = inputs.length > 0;
  const listed = `[${inputs.join(', ')}]`;
  const body = isTaped
    ? ['with tf.GradientTape() as tape:', `    tape.watch(${listed})`, indented(steps, '    ')]
    : steps;
  const by = inputs.length === 1 ? inputs[0] : listed;
  const after = flat([isTaped && `${made.join(', ')} = tape.gradient(y, ${by}, output_gradients=dy)`, sums]);
  return linesOf(['import tensorflow as tf\n', forward && body, after.length > 0 && ['', after]], {
    [final]: makes('y'),
    'x_padded =': takes('x'),
    ...GRADIENT_MARKS,
  });
}

export const TENSORFLOW: PythonDialect = {
  name: 'TensorFlow',
  imports: ['import numpy as np'],
  code: tensorflowCode,
  checkedCode: portableCode,
  ...viaNumpy((tensor) => `${tensor}.numpy()`),
  double: 'tf.constant(tensor, dtype=tf.float64)',
  network: {
    id: 'tensorflow',
    passes(steps) {
      const { forward, leaves, inputs, gradients, last } = networkParts(steps);
      return [
        'with tf.GradientTape() as tape:',
        `    tape.watch([${leaves.join(', ')}])`,
        ...forward.map((line) => `    ${line}`),
        `${gradients.join(', ')} = tape.gradient(`,
        `    ${last.y}, [${inputs.join(', ')}], output_gradients=${last.dy}`,
        ')',
      ];
    },
    sum: (dy) => `tf.reduce_sum(${dy}, axis`,
    run: [
      'with tf.GradientTape() as tape:',
      '    tape.watch(inputs)',
      '    y = layer(*inputs)',
      'return (y, *tape.gradient(y, inputs, output_gradients=dy))',
    ],
  },
};
