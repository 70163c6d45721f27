import type { Pass } from '../protocol/problem';
import type { AlgorithmInfo } from '../protocol/questions';
import type { MainModule } from '../wasm/module';
import { textOf } from '../wasm/text';
import type { SessionHeap } from './session-heap';

/** All algorithms of a pass, evaluated for the session's problem. */
export function algorithmsOf(module: MainModule, heap: SessionHeap, pass: Pass): AlgorithmInfo[] {
  return heap.session.algorithms(module.Pass[pass]).map((row) => ({
    ...row,
    name: textOf(row.name),
    description: textOf(row.description),
    reason: textOf(row.reason),
  }));
}
