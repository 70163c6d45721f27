import type { Patch } from './site';

/** Serves the worker with a random delay before each message, drawn from `seed`; the order is unchanged. */
export function delayWorker(seed: number, most: number): Patch {
  const delay = `
    let seed = ${seed >>> 0};
    let turn = Promise.resolve();
    const send = self.postMessage.bind(self);
    self.postMessage = (...message) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      const part = seed / 2 ** 32;
      // Most are short, few are long.
      const wait = ${most} * part ** 4;
      turn = turn.then(() => new Promise((resolve) => setTimeout(resolve, wait))).then(() => send(...message));
    };
  `;
  return (file, body) => (/worker-[^/]*\.js$/.test(file) ? Buffer.concat([Buffer.from(delay), body]) : body);
}
