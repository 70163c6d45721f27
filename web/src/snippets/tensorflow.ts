import { flat, isPadded } from '../layers/code';
import type { Geometry, Pass } from '../protocol/problem';
import { lossText } from './loss';
import { differentiated, GRADIENT_MARKS, makes, type PythonDialect, takes, VIA_NUMPY } from './python';
import {
  type CodeLine,
  type Flags,
  indented,
  linesOf,
  listing,
  lossOf,
  type Subject,
  termsOf,
  type Values,
} from './snippet';

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

const CALLED = `
nchw         | w_hwio = tf.transpose(w, [2, 3, 1, 0])
depthwise    | w_depthwise = tf.reshape({w}, [{kh}, {kw}, {c}, {group_k}])  # filters of each channel
whole groups | # {groups} groups: w has {group_c} of {c} channels
             | {call}
bias nhwc    | y = tf.nn.bias_add(y, b)
bias nchw    | y = tf.nn.bias_add(y, b, data_format="NCHW")`;

/** The passes with tf.nn.conv2d or depthwise_conv2d, and tf.GradientTape. Weights are HWIO in both layouts. */
function tensorflowCode(subject: Subject, wanted: readonly Pass[]): readonly CodeLine[] {
  const { geometry: g } = subject;
  const { nhwc, dilated, groups } = termsOf(subject).flags;
  const padding = paddingText(g);
  // depthwise_conv2d takes one stride for both axes, and no dilation with a stride or with sides.
  const depthwise =
    groups === true &&
    g.group_c === 1 &&
    g.stride_h === g.stride_w &&
    (!dilated || (g.stride_h === 1 && padding.startsWith('"')));
  const w = nhwc ? 'w' : 'w_hwio';
  const strides = nhwc ? [1, g.stride_h, g.stride_w, 1] : [1, 1, g.stride_h, g.stride_w];
  const [name, by] = depthwise ? ['depthwise_conv2d', 'w_depthwise'] : ['conv2d', w];
  const settings = flat([
    `strides=[${(depthwise ? strides : [g.stride_h, g.stride_w]).join(', ')}]`,
    `padding=${padding}`,
    dilated && `dilations=[${g.dilation_h}, ${g.dilation_w}]`,
    !nhwc && 'data_format="NCHW"',
  ]);
  const line = `y = tf.nn.${name}(${['x', by, ...settings].join(', ')})`;
  const lines = [`y = tf.nn.${name}(`, `    x, ${by},`, ...settings.map((one) => `    ${one},`), ')'];
  const call = line.length <= 100 ? line : lines.join('\n');
  return taped(subject, wanted, CALLED, { w, call }, { depthwise, whole: !depthwise });
}

const PORTABLE = `
nchw    | x_last = tf.transpose(x, [0, 2, 3, 1])  # channels last
nchw    | w_last = tf.transpose(w, [2, 3, 1, 0])
padded  | x_padded = tf.pad({x}, [[0, 0], [{top}, {bottom}], [{left}, {right}], [0, 0]])
dilated | # zeros between the weights: dilation
dilated | w_spread = tf.reshape({w}, [{kh}, 1, {kw}, 1, {group_c}, {k}])
dilated | w_spread = tf.pad(w_spread, [[0, 0], [0, {below}], [0, 0], [0, {beside}], [0, 0], [0, 0]])
dilated | w_spread = tf.reshape(w_spread, [{rows}, {cols}, {group_c}, {k}])[:{dilated_kh}, :{dilated_kw}]
groups  | groups = zip(tf.split({from}, {groups}, axis=3), tf.split({by}, {groups}, axis=3))
groups  | y = tf.concat([tf.nn.conv2d(xg, wg, strides=[1, {stride_h}, {stride_w}, 1], padding="VALID") for xg, wg in groups], axis=3)
one     | y = tf.nn.conv2d({from}, {by}, strides=[1, {stride_h}, {stride_w}, 1], padding="VALID")
bias    | y = y + b
nchw    | y = tf.transpose(y, [0, 3, 1, 2])  # to NCHW`;

/**
 * The same with operations that have gradients on a CPU: channels last, no groups (x and w are split), and no dilation
 * (zeros are inserted between the weights instead).
 */
function portableCode(subject: Subject, wanted: readonly Pass[]): readonly CodeLine[] {
  const { geometry: g } = subject;
  const { nhwc, padded, dilated } = termsOf(subject).flags;
  const [x, w] = nhwc ? ['x', 'w'] : ['x_last', 'w_last'];
  return taped(subject, wanted, PORTABLE, {
    ...{ x, w, from: padded ? 'x_padded' : x, by: dilated ? 'w_spread' : w },
    ...{ below: g.dilation_h - 1, beside: g.dilation_w - 1, rows: g.kh * g.dilation_h, cols: g.kw * g.dilation_w },
  });
}

const TAPED = `
                | import tensorflow as tf
                |
tracked         | with tf.GradientTape() as tape:
watched         |     tape.watch([{inputs}])
forward         | {steps}
unwatched       |     tape.watch(y)
loss            |     {loss}
tracked,sum     |
tracked         | {made} = tape.gradient({from}, {of}{given})
sum             | {sum}`;

/** The steps to y, and the gradients that a tape records. */
function taped(
  subject: Subject,
  wanted: readonly Pass[],
  template: string,
  others: Values,
  more: Flags = {},
): readonly CodeLine[] {
  const { sources, flags, values } = differentiated(subject, wanted, TENSORFLOW.sum);
  const loss = lossOf(subject, wanted);
  const steps = listing(template, { ...flags, ...more }, { ...values, ...others });
  const final = steps.findLast((step) => step.startsWith('y ='))?.slice(0, 12) ?? 'y =';
  const lines = listing(TAPED, flags, {
    ...values,
    steps: (flags.tracked ? indented(steps, '    ') : steps).join('\n'),
    of: sources.length === 1 ? values.sources : `[${values.sources}]`,
    given: loss ? '' : ', output_gradients=dy',
    loss: loss ? lossText('tensorflow', loss, subject.geometry, { y: 'y', dy: 'dy' }) : '',
  });
  return linesOf(lines, { [final]: makes('y'), 'x_padded =': takes('x'), ...GRADIENT_MARKS });
}

export const TENSORFLOW: PythonDialect = {
  name: 'TensorFlow',
  imports: ['import numpy as np'],
  code: tensorflowCode,
  checkedCode: portableCode,
  ...VIA_NUMPY,
  double: 'tf.constant(tensor, dtype=tf.float64)',
  difference: 'np.abs(page - here.numpy()).max()',
  largest: 'np.abs({tensor}.numpy()).max()',
  sum: '{db} = tf.reduce_sum({dy}, axis={axes})',
  gradientOfLoss: 'with tf.GradientTape() as tape:\n    tape.watch(y)\n    {loss}\n{dy} = tape.gradient(loss, y)',
  network: {
    id: 'tensorflow',
    passes: `\
with tf.GradientTape() as tape:
    tape.watch([{leaves}])
    {forward}
{gradients} = tape.gradient(
    {from}, [{sources}]{given}
)`,
    given: ', output_gradients={dy}',
    run: `\
    with tf.GradientTape() as tape:
        tape.watch(inputs)
        y = layer(*inputs)
    return (y, *tape.gradient(y, inputs, output_gradients=dy))`,
  },
};
