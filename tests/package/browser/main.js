import { compute } from './compute.js';

const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
const answer = new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
});
// The example of docs/javascript.md, which the test copies beside this file.
new Worker(new URL('./layer.mjs', import.meta.url), { type: 'module' });
const threads = Number(new URLSearchParams(location.search).get('threads'));
worker.postMessage(threads);
const lines = [`page: ${await compute(threads)}`, `worker: ${await answer}`];
document.body.textContent = lines.join('\n');
