// y, dx and dw of a 3 x 3 image with a 2 x 2 kernel, small enough to check by hand: node node.mjs

import { createConv } from 'conv2d';

const conv = await createConv();
const x = { shape: [1, 3, 3, 1], data: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9) };
const w = { shape: [2, 2, 1, 1], data: Float32Array.of(1, 2, 3, 4) };
const dy = { shape: [1, 2, 2, 1], data: Float32Array.of(1, 0, 0, 1) }; // of the first and the last window

const y = conv.forward({ x, w });
console.log('y ', ...y.data); // the first: 1*1 + 2*2 + 4*3 + 5*4 = 37
const { dx, dw } = conv.backward({ x, w, dy, of: ['dx', 'dw'] });
console.log('dx', ...dx.data); // w at the top left, plus w at the bottom right; 4 + 1 in the middle
console.log('dw', ...dw.data); // the first window of x plus the last: 1 + 5, 2 + 6, 4 + 8, 5 + 9
conv.dispose();
