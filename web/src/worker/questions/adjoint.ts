import type { Answerer } from '../answerer';
import { Progress } from '../progress';

export const answerer: Answerer<'adjoint'> = {
  fields: [],
  answer({ heap }, _, onProgress) {
    const [y, b] = [heap.copy('y'), heap.copy('b')];
    try {
      // b is no part of C.
      heap.release('b');
      new Progress(1, onProgress).part('forward', (step) => heap.run('forward', '', step));
      heap.must(heap.session.adjoint());
      const [forward = 0, backward = 0, difference = 0, relative = 0] = heap.copy('result');
      return { forward, backward, difference, relative };
    } finally {
      heap.write('y', y);
      heap.write('b', b);
      heap.release('result');
    }
  },
  // A sum over y, or over dx, of which all but one term may be told.
  hide(_asked, _question, answer, masks) {
    const told = !(['x', 'y', 'dx', 'dy'] as const).some((name) => masks.any(name));
    return told ? answer : { ...answer, forward: Number.NaN, backward: Number.NaN };
  },
};
