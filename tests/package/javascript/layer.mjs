import { createConv } from 'conv2d';

const ones = (...shape) => ({ shape, data: new Float32Array(shape.reduce((a, b) => a * b)).fill(1) });

async function main() {
  const conv = await createConv();

  // 28 x 28 pixels, 64 channels, 128 filters of 3 x 3. Defaults: stride 1, NHWC.
  const x = ones(1, 28, 28, 64);
  const w = ones(3, 3, 64, 128);
  const y = conv.forward({ x, w, b: new Float32Array(128).fill(1), padding: 'same' });
  const { dx, dw } = conv.backward({ x, w, dy: ones(...y.shape), padding: 'same', of: ['dx', 'dw'] });

  // In the corner, only 2 x 2 of the 3 x 3 taps are inside x.
  const [corner, middle] = [0, 14 * 28 + 14];
  console.log(`y: ${y.data[corner * 128]} in the corner, ${y.data[middle * 128]} in the middle`);
  console.log(`dx: ${dx.data[corner * 64]} in the corner, ${dx.data[middle * 64]} in the middle`);
  console.log(`dw: ${dw.shape.join(' x ')}`);

  // Errors have a code and name the invalid field.
  try {
    conv.forward({ x, w, padding: 'same', stride: 0 });
  } catch ({ code, field, message }) {
    console.log(`${code} of ${field}: ${message}`);
  }
  conv.dispose();
}

main();
