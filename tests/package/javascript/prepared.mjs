import { createConv } from 'conv2d';

const filled = (value, ...shape) => ({ shape, data: new Float32Array(shape.reduce((a, b) => a * b)).fill(value) });

async function main() {
  const conv = await createConv();
  const x = filled(1, 1, 6, 6, 8);
  const w = filled(1, 3, 3, 8, 8);
  const problem = { x, w, padding: 'same' };

  // The algorithms for y and their error bounds: |y - exact| <= error_bound * 2^-24 * the sum of |x||w|.
  for (const { name, supported, error_bound } of conv.algorithms({ ...problem, of: 'y' })) {
    if (supported) console.log(`${name}: ${Math.ceil(error_bound)}`);
  }

  const layer = conv.prepare({ ...problem, algorithm: { y: 'direct' } });
  const y = filled(0, 1, 6, 6, 8);
  const dw = new Float32Array(w.data.length);
  for (const value of [1, 2]) {
    layer.update({ w: filled(value, 3, 3, 8, 8) });
    layer.forward({ x, out: y.data });
    layer.backward({ x, dy: y, of: ['dw'], out: { dw } });
    console.log(`w = ${value}: y ${y.data[0]} in the corner, dw ${dw[0]}`);
  }
  layer.dispose();
  conv.dispose();
}

main();
