import * as tf from '@tensorflow/tfjs-core';
import { changesOf, type NetworkCase, shapesOf } from '../network';
import type { Form, Runner } from '../party';
import { sizeOf } from '../problem';

/**
 * The WebAssembly backend has no kernel for the gradient of filters, so that tf.grad fails. The forms compute dw as the convolution of x
 * with dy, and dx in two ways.
 */
type InputGradient = (dy: tf.Tensor, w: tf.Tensor) => tf.Tensor;

export function tfjsNetworkForms(of: NetworkCase): Form[] {
  const { pooled } = shapesOf(of.network);
  const forms: Readonly<Record<string, InputGradient>> = {
    conv2dTranspose: (dy, w) => tf.conv2dTranspose(dy, w, pooled, [1, 1], 'same'),
    flip: (dy, w) => tf.conv2d(dy, tf.transpose(tf.reverse(w, [0, 1]), [0, 1, 3, 2]), 1, 'same'),
  };
  return Object.entries(forms).map(([name, inputGradient]) => ({
    name,
    prepare: async () => prepare(of, inputGradient),
  }));
}

const POOL = { filterSize: [2, 2], strides: [2, 2], pad: 'valid' } as const;

/** dw of a convolution of 3 x 3 with one row and column of padding on each side. */
function weightGradient(x: tf.Tensor, dy: tf.Tensor): tf.Tensor {
  const pads: [[number, number], [number, number], [number, number], [number, number]] = [
    [0, 0],
    [1, 1],
    [1, 1],
    [0, 0],
  ];
  const all = tf.conv2d(tf.transpose(x, [3, 1, 2, 0]), tf.transpose(dy, [1, 2, 0, 3]), 1, pads);
  return tf.transpose(all, [1, 2, 0, 3]);
}

const biasGradient = (dy: tf.Tensor): tf.Tensor => tf.sum(dy, [0, 1, 2]);

type Parameters = readonly [w1: tf.Tensor, b1: tf.Tensor, w2: tf.Tensor, b2: tf.Tensor];

function prepare(of: NetworkCase, inputGradient: InputGradient): Runner {
  const { network, parameters } = of;
  const shapes = shapesOf(network);
  const count = sizeOf(shapes.y);
  const [x, target] = [tf.tensor4d(of.x, shapes.x), tf.tensor4d(of.target, shapes.y)];
  const upload = (): Parameters => {
    const [w1 = of.x, b1 = of.x, w2 = of.x, b2 = of.x] = parameters;
    return [tf.tensor4d(w1, shapes.w[0]), tf.tensor1d(b1), tf.tensor4d(w2, shapes.w[1]), tf.tensor1d(b2)];
  };
  let current = upload();

  const convolve = (input: tf.Tensor, filter: tf.Tensor, bias: tf.Tensor, activation: 'linear' | 'relu') =>
    tf.fused.conv2d({ x: input, filter, bias, strides: [1, 1], dilations: [1, 1], pad: 'same', activation });

  /** Replaces the parameters, and returns the loss before the step, which the caller disposes of. */
  function step(): tf.Tensor {
    const [loss, ...next] = tf.tidy(() => {
      const [w1, b1, w2, b2] = current;
      const hidden = convolve(x, w1, b1, 'relu');
      const pooled = tf.maxPool(hidden, POOL.filterSize, POOL.strides, POOL.pad);
      const y = convolve(pooled, w2, b2, 'linear');
      const difference = tf.sub(y, target);
      const halfMean = tf.mul(tf.sum(tf.square(difference)), 1 / (2 * count));
      const dy = tf.mul(difference, 1 / count);
      const dPooled = inputGradient(dy, w2);
      const dHidden = tf.engine().runKernel('MaxPoolGrad', { dy: dPooled, input: hidden, output: pooled }, POOL);
      const dRelu = tf.mul(dHidden, tf.step(hidden));
      const gradients = [
        ...[weightGradient(x, dRelu), biasGradient(dRelu)],
        ...[weightGradient(pooled, dy), biasGradient(dy)],
      ];
      return [halfMean, ...current.map((value, i) => tf.sub(value, tf.mul(gradients[i] ?? value, network.rate)))];
    });
    const [w1, b1, w2, b2] = next;
    if (!(loss && w1 && b1 && w2 && b2)) throw new Error('the step has no result');
    tf.dispose(current);
    current = [w1, b1, w2, b2];
    return loss;
  }
  function start(): void {
    tf.dispose(current);
    current = upload();
  }
  return {
    kernel: () => step().dispose(),
    endToEnd: () => {
      start();
      step().dispose();
      return changesOf(
        of,
        current.map((value) => value.dataSync() as Float32Array),
      );
    },
    probe: () => {
      start();
      const loss = step();
      const [value = Number.NaN] = loss.dataSync() as Float32Array;
      loss.dispose();
      return value;
    },
    dispose: () => tf.dispose([x, target, current]),
  };
}
