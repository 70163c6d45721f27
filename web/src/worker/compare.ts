import type { CompareRequest, CompareResult, CompareRow } from '../protocol/follow-ups';
import type { MainModule } from '../wasm/load';
import { textOf } from '../wasm/text';
import { OUTPUTS } from './compute';
import { ConvFailure } from './failure';
import { type OnProgress, Progress } from './progress';
import type { SessionHeap, Step } from './session-heap';
import { checkFields, checkList, checkMember, checkText } from './validate';

/** Runs each algorithm and measures it against the reference, which the list holds last. */
export function compareAlgorithms(
  module: MainModule,
  heap: SessionHeap,
  request: CompareRequest,
  onProgress: OnProgress,
): CompareResult {
  checkFields(request, ['type', 'revision', 'pass', 'algorithms'], 'the request');
  const { pass } = request;
  const listed = heap.session.algorithms(checkMember(module.Pass, pass, 'pass')).map((row) => textOf(row.name));
  const chosen = request.algorithms === 'all' ? listed : checkList(request.algorithms, 'algorithms');
  const names = chosen.map((name, i) => checkText(name, `algorithms[${i}]`));
  const progress = new Progress(names.length + 1, onProgress);
  const output = OUTPUTS[pass];
  const before = heap.copy(output);
  try {
    progress.part('reference', (step) => heap.run(pass, listed.at(-1) ?? '', step));
    heap.write('result', heap.copy(output));
    const rows = names.map((name) => progress.part(name, (step) => compareOne(heap, request, name, step)));
    return { type: 'compare', pass, rows };
  } finally {
    heap.write(output, before);
    heap.release('result');
  }
}

function compareOne(heap: SessionHeap, request: CompareRequest, algorithm: string, step: Step): CompareRow {
  try {
    const { milliseconds } = heap.run(request.pass, algorithm, step);
    const { status, value } = heap.session.max_abs_difference(heap.slot(OUTPUTS[request.pass]), heap.slot('result'));
    heap.must(status);
    return { algorithm, milliseconds, max_abs_difference: value, error: null };
  } catch (thrown) {
    if (!(thrown instanceof ConvFailure)) throw thrown;
    return { algorithm, milliseconds: 0, max_abs_difference: null, error: thrown.error };
  }
}
