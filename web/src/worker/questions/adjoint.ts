import { type Answerer, Progress } from '../answerer';

export const answerer: Answerer<'adjoint'> = {
  fields: [],
  answer({ heap }, _, onProgress) {
    const [y, b] = [heap.copy('y'), heap.copy('b')];
    try {
      // The matrix C does not include b.
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
  // If all other terms of these sums are visible, a hidden term could be derived.
  hide(_context, _question, answer, masks) {
    const visible = !(['x', 'y', 'dx', 'dy'] as const).some((name) => masks.any(name));
    const no = Number.NaN;
    return visible ? answer : { forward: no, backward: no, difference: no, relative: no };
  },
};
