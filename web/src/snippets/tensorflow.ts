import type { Geometry, Pass } from '../protocol/problem';
import { differentiated, GRADIENTS, makes, sumOfDy, takes } from './python';
import { type Line, linesOf, type Subject } from './snippet';

/**
 * The passes with tf.nn.conv2d and tf.GradientTape, restricted to operations that run on a CPU: channels last, no
 * groups (x and w are split), and no dilation in the gradients (zeros are inserted between the weights instead).
 */
export function tensorflowCode({ geometry: g, bias }: Subject, wanted: readonly Pass[]): readonly Line[] {
  const { padding: pad } = g;
  const nhwc = g.layout === 'nhwc';
  const dilated = g.dilation_h * g.dilation_w > 1;
  const padded = pad.top + pad.bottom + pad.left + pad.right > 0;
  const steps: string[] = [];
  let [x, w] = ['x', 'w'];
  if (!nhwc) {
    steps.push('x_last = tf.transpose(x, [0, 2, 3, 1])  # channels last', 'w_last = tf.transpose(w, [2, 3, 1, 0])');
    [x, w] = ['x_last', 'w_last'];
  }
  if (padded) {
    steps.push(`x_padded = tf.pad(${x}, [[0, 0], [${pad.top}, ${pad.bottom}], [${pad.left}, ${pad.right}], [0, 0]])`);
    x = 'x_padded';
  }
  if (dilated) {
    const [rows, cols] = [g.kh * g.dilation_h, g.kw * g.dilation_w];
    steps.push(
      '# zeros between the weights: dilation',
      `w_spread = tf.reshape(${w}, [${g.kh}, 1, ${g.kw}, 1, ${g.group_c}, ${g.k}])`,
      `w_spread = tf.pad(w_spread, [[0, 0], [0, ${g.dilation_h - 1}], [0, 0], [0, ${g.dilation_w - 1}], [0, 0], [0, 0]])`,
      `w_spread = tf.reshape(w_spread, [${rows}, ${cols}, ${g.group_c}, ${g.k}])[:${g.dilated_kh}, :${g.dilated_kw}]`,
    );
    w = 'w_spread';
  }
  const strides = `strides=[1, ${g.stride_h}, ${g.stride_w}, 1], padding="VALID"`;
  if (g.groups > 1) {
    steps.push(
      `groups = zip(tf.split(${x}, ${g.groups}, axis=3), tf.split(${w}, ${g.groups}, axis=3))`,
      `y = tf.concat([tf.nn.conv2d(xg, wg, ${strides}) for xg, wg in groups], axis=3)`,
    );
  } else {
    steps.push(`y = tf.nn.conv2d(${x}, ${w}, ${strides})`);
  }
  if (bias) steps.push('y = y + b');
  if (!nhwc) steps.push('y = tf.transpose(y, [0, 3, 1, 2])  # to NCHW');
  const final = steps.findLast((step) => step.startsWith('y ='))?.slice(0, 12) ?? 'y =';
  const { wrt, after } = gradients(g, bias, wanted);
  const taped = wrt.length > 0;
  const body = taped
    ? ['with tf.GradientTape() as tape:', `    tape.watch([${wrt.join(', ')}])`, ...steps.map((step) => `    ${step}`)]
    : steps;
  const needed = taped || wanted.includes('forward');
  return linesOf(['import tensorflow as tf\n', ...(needed ? body : []), ...after].join('\n'), {
    [final]: makes('y'),
    'x_padded =': takes('x'),
    ...GRADIENTS,
  });
}

function gradients(g: Geometry, bias: boolean, wanted: readonly Pass[]) {
  const wrt = differentiated(wanted, bias);
  const made = wrt.map((tensor) => `d${tensor}`).join(', ');
  const lines = [
    ...(wrt.length === 1 ? [`${made} = tape.gradient(y, ${wrt[0]}, output_gradients=dy)`] : []),
    ...(wrt.length > 1 ? [`${made} = tape.gradient(y, [${wrt.join(', ')}], output_gradients=dy)`] : []),
    ...(wanted.includes('backward_bias') && !bias ? [sumOfDy(g, 'tf.reduce_sum(dy, axis')] : []),
  ];
  return { wrt, after: lines.length > 0 ? ['', ...lines] : [] };
}
