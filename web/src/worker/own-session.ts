import { SessionHeap } from '../engine/session-heap';
import { INPUTS, type InputName } from '../protocol/problem';
import { descOf } from '../protocol/shapes';
import type { QuestionContext } from './answerer';

/** Another session of the layer that a question is about, with its inputs or other values for them. Close it. */
export function ownSession(
  { heap, problem }: QuestionContext,
  values: (name: InputName) => Float32Array = (name) => heap.copy(name),
): SessionHeap {
  const own = new SessionHeap(heap.module);
  try {
    own.setProblem(descOf(problem.geometry));
    for (const name of INPUTS) own.write(name, values(name));
    return own;
  } catch (thrown) {
    own.close();
    throw thrown;
  }
}
