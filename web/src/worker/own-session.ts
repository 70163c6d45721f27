import { SessionHeap } from '../engine/session-heap';
import { INPUTS, type InputName } from '../protocol/problem';
import { descOf } from '../protocol/shapes';
import type { QuestionContext } from './answerer';
import { chainOf } from './chain';

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

/** Another session of all layers, for a number of images, as its first layer; without values. Close it. */
export function chainCopy({ heap: { module }, chain }: QuestionContext, n = chain.input.n): SessionHeap {
  const copy = new SessionHeap(module);
  copy.setChain(...chainOf(module, { ...chain, input: { ...chain.input, n } }));
  return copy;
}

/** Copies x, the weights of all layers and the target from another session of the same layers. */
export function takeInputs(to: SessionHeap, from: SessionHeap): void {
  for (const name of ['x', 'target'] as const) to.take(name, from);
  to.rows.forEach(({ w_size }, i) => {
    if (w_size > 0) for (const name of ['w', 'b'] as const) to.at(i).take(name, from.at(i));
  });
}

/** Another session of all layers, with x, weights and target of the problem, as its first layer. Close it. */
export function copyOf(context: QuestionContext): SessionHeap {
  const { heap } = context;
  const copy = chainCopy(context);
  try {
    takeInputs(copy, heap.at(0));
    return copy;
  } catch (thrown) {
    copy.close();
    throw thrown;
  }
}
