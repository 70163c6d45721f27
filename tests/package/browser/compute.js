// Runs in the page and in its worker.
import { ConvFailure, createConv } from 'conv2d';

/** What is computed on as many threads, and on what. */
export async function compute(threads) {
  const conv = await createConv({ threads });
  const ones = (...shape) => ({
    shape,
    data: new Float32Array(shape.reduce((a, b) => a * b)).fill(1),
  });
  const [x, w] = [ones(1, 28, 28, 64), ones(3, 3, 64, 128)];
  const y = conv.forward({ x, w, padding: 'same' });
  const { dx } = conv.backward({ x, w, dy: y, padding: 'same', of: ['dx'] });
  let code = 'none';
  try {
    conv.forward({ x, w, stride: 0 });
  } catch (thrown) {
    if (thrown instanceof ConvFailure) code = `${thrown.code} of ${thrown.field}`;
  }
  conv.dispose();
  const middle = 14 * 28 + 14;
  return `${conv.build} on ${conv.threads}: ${y.data[middle * 128]}, ${dx.data[middle * 64]}; ${code}`;
}
