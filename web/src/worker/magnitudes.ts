import type { Step } from '../engine/session-heap';
import type { Pass } from '../protocol/problem';
import { INPUTS, RESULT_OF } from '../protocol/tensors';
import type { QuestionContext } from './answerer';
import type { Mistakes } from './mistakes';

/** Writes the sum of |terms| of each cell to `magnitudes`: the pass over the absolute values of its inputs. */
export function writeMagnitudes({ heap }: QuestionContext, known: Mistakes, pass: Pass, step: Step): void {
  const output = RESULT_OF[pass];
  const slots = [...INPUTS, output] as const;
  const before = slots.map((name) => [name, heap.copy(name)] as const);
  try {
    for (const [name, values] of before) if (name !== output) heap.write(name, known.absolute(values));
    heap.run(pass, '', step);
    known.write('magnitudes', heap.copy(output));
  } finally {
    for (const [name, values] of before) heap.write(name, values);
  }
}
