import type { SessionHeap, Step } from '../../engine/session-heap';
import { ConvFailure, checkList, checkMember, checkText, toConvError } from '../../engine/validate';
import { RESULT_OF } from '../../protocol/problem';
import type { CompareAsk, CompareRow } from '../../protocol/questions';
import { type Answerer, Progress } from '../answerer';

export const algorithms: Answerer<'algorithms'> = {
  fields: [],
  answer: ({ heap }) => ({
    forward: heap.algorithms('forward'),
    backward_data: heap.algorithms('backward_data'),
    backward_weights: heap.algorithms('backward_weights'),
    backward_bias: heap.algorithms('backward_bias'),
  }),
  // Depends only on sizes, not on values.
  hide: (_context, _question, answer) => answer,
};

/** Runs each algorithm and compares it with the reference, which is the last in the list. */
export const compare: Answerer<'compare'> = {
  fields: ['pass', 'algorithms'],
  answer({ heap }, question, onProgress) {
    const { pass } = question;
    checkMember(heap.module.Pass, pass, 'pass');
    const listed = heap.algorithms(pass).map(({ name }) => name);
    const chosen = question.algorithms === 'all' ? listed : checkList(question.algorithms, 'algorithms');
    const names = chosen.map((name, i) => checkText(name, `algorithms[${i}]`));
    const progress = new Progress(names.length + 1, onProgress);
    const output = RESULT_OF[pass];
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
  // The difference depends on every cell, including hidden ones.
  hide(_context, { pass }, answer, masks) {
    if (!masks.any(RESULT_OF[pass])) return answer;
    const hidden = ({ error }: CompareRow) => (error ? null : Number.NaN);
    return { pass, rows: answer.rows.map((row) => ({ ...row, max_abs_difference: hidden(row) })) };
  },
};

function compareOne(heap: SessionHeap, { pass }: CompareAsk, algorithm: string, step: Step): CompareRow {
  try {
    const { milliseconds } = heap.run(pass, algorithm, step);
    const difference = heap.session.max_abs_difference(heap.slot(RESULT_OF[pass]), heap.slot('result'));
    return { algorithm, milliseconds, max_abs_difference: heap.must(difference).value, error: null };
  } catch (thrown) {
    if (!(thrown instanceof ConvFailure)) throw thrown;
    return { algorithm, milliseconds: 0, max_abs_difference: null, error: toConvError(thrown) };
  }
}
