import { createConv } from 'conv2d';

const conv = await createConv();
const x = { shape: [1, 5, 5, 1], data: Float32Array.from({ length: 25 }, (_, i) => i) };
const w = { shape: [3, 3, 1, 1], data: new Float32Array(9).fill(1) };
const y = conv.forward({ x, w, stride: 2 });
const { dx, dw } = conv.backward({ x, w, dy: y, stride: 2, of: ['dx', 'dw'] });
console.log(`y ${y.data}, dx[2,2] ${dx.data[12]}, dw[0,0] ${dw.data[0]}`);
conv.dispose();
