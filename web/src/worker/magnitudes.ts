import type { Step } from '../engine/session-heap';
import type { Pass } from '../protocol/problem';
import type { Asked } from './answerer';
import { OUTPUTS } from './compute';
import type { Mistakes } from './mistakes';

const INPUTS = ['x', 'w', 'b', 'dy'] as const;

/** Has the library make what a result's rounding is measured by, the pass over inputs without signs, and writes it where `hold` reads it. */
export function writeMagnitudes({ heap }: Asked, known: Mistakes, pass: Pass, step: Step): void {
  const output = OUTPUTS[pass];
  const slots = [...INPUTS, output] as const;
  const before = slots.map((name) => [name, heap.copy(name)] as const);
  try {
    for (const [name, values] of before) if (name !== output) heap.write(name, known.withoutSigns(values));
    heap.run(pass, '', step);
    known.write('magnitudes', heap.copy(output));
  } finally {
    for (const [name, values] of before) heap.write(name, values);
  }
}
