import { ConvFailure, toConvError } from '../../engine/failure';
import type { SessionHeap, Step } from '../../engine/session-heap';
import { checkList, checkMember, checkText } from '../../engine/validate';
import type { CompareAsk, CompareRow } from '../../protocol/questions';
import { textOf } from '../../wasm/text';
import type { Answerer } from '../answerer';
import { OUTPUTS } from '../compute';
import { Progress } from '../progress';

/** Runs each algorithm and measures it against the reference, which the list holds last. */
export const answerer: Answerer<'compare'> = {
  fields: ['pass', 'algorithms'],
  answer({ module, heap }, question, onProgress) {
    const { pass } = question;
    const listed = heap.session.algorithms(checkMember(module.Pass, pass, 'pass')).map((row) => textOf(row.name));
    const chosen = question.algorithms === 'all' ? listed : checkList(question.algorithms, 'algorithms');
    const names = chosen.map((name, i) => checkText(name, `algorithms[${i}]`));
    const progress = new Progress(names.length + 1, onProgress);
    const output = OUTPUTS[pass];
    const before = heap.copy(output);
    try {
      progress.part('reference', (step) => heap.run(pass, listed.at(-1) ?? '', step));
      heap.write('result', heap.copy(output));
      const rows = names.map((name) => progress.part(name, (step) => compareOne(heap, question, name, step)));
      return { pass, rows };
    } finally {
      heap.write(output, before);
      heap.release('result');
    }
  },
  // Times, and how far results are apart.
  hide: (_asked, _question, answer) => answer,
};

function compareOne(heap: SessionHeap, { pass }: CompareAsk, algorithm: string, step: Step): CompareRow {
  try {
    const { milliseconds } = heap.run(pass, algorithm, step);
    const { status, value } = heap.session.max_abs_difference(heap.slot(OUTPUTS[pass]), heap.slot('result'));
    heap.must(status);
    return { algorithm, milliseconds, max_abs_difference: value, error: null };
  } catch (thrown) {
    if (!(thrown instanceof ConvFailure)) throw thrown;
    return { algorithm, milliseconds: 0, max_abs_difference: null, error: toConvError(thrown) };
  }
}
