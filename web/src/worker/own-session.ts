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

/** Another session of all layers, with x, weights and target of the problem, as its first layer. Close it. */
export function copyOf({ heap, chain }: QuestionContext): SessionHeap {
  const copy = new SessionHeap(heap.module);
  try {
    copy.setChain(...chainOf(copy.module, chain));
    for (const name of ['x', 'target'] as const) copy.take(name, heap.at(0));
    heap.rows.forEach(({ w_size }, i) => {
      if (w_size > 0) for (const name of ['w', 'b'] as const) copy.at(i).take(name, heap.at(i));
    });
    return copy;
  } catch (thrown) {
    copy.close();
    throw thrown;
  }
}

/** Runs what is not current. */
export function runAll(heap: SessionHeap): void {
  for (let step = heap.next(); step; step = heap.next()) {
    if (step.operation === 'loss') heap.runLoss();
    else heap.at(step.layer).runPlanned(step.operation);
  }
}
