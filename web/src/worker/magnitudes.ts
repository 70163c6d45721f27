import type { Step } from '../engine/session-heap';
import type { Pass } from '../protocol/problem';
import type { QuestionContext } from './answerer';
import { OUTPUTS } from './compute';
import type { Mistakes } from './mistakes';

const INPUTS = ['x', 'w', 'b', 'dy'] as const;

/** Writes the sum of |terms| of each cell to `magnitudes`: the pass over the absolute values of its inputs. */
export function writeMagnitudes({ heap }: QuestionContext, known: Mistakes, pass: Pass, step: Step): void {
  const output = OUTPUTS[pass];
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
