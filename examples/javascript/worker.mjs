// Convolutions in a worker, so that the main thread stays free: node worker.mjs
// In a page: new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' }), with postMessage and onmessage.

import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { createConv } from 'conv2d';

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url));
  const x = { shape: [1, 64, 64, 1], data: new Float32Array(64 * 64).fill(1) };
  // The array moves to the worker and y comes back, both without a copy.
  worker.postMessage(x, [x.data.buffer]);
  console.log(`in the worker: x, with ${x.data.length} values left here`);
  worker.once('message', ({ shape, data }) => {
    console.log(`y: ${shape.join(' x ')}, ${data[0]} in the corner, ${data[64 * 32 + 32]} in the middle`);
    worker.terminate();
  });
} else {
  const conv = await createConv();
  const w = { shape: [4, 4, 1, 1], data: new Float32Array(16).fill(1 / 16) };
  parentPort.once('message', (x) => {
    // The mean of 4 x 4 pixels. Outside of the image they are 0: in the corner, 9 of 16 are inside.
    const y = conv.forward({ x, w, padding: 'same' });
    parentPort.postMessage(y, [y.data.buffer]);
    conv.dispose();
  });
}
