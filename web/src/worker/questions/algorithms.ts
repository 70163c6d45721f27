import type { SessionHeap, Step } from '../../engine/session-heap';
import { ConvFailure, toConvError } from '../../engine/validate';
import { type Pass, RESULT_OF } from '../../protocol/problem';
import type { CompareRow } from '../../protocol/questions';
import { type Answerer, Progress } from '../answerer';
import { ownSession } from '../own-session';
import { batchFor, clockStep, medianTime, TimedRun } from '../timing';

const ROUNDS = 5;
/** Milliseconds for the rounds of one algorithm. A first run that takes longer is its time: a warm-up changes it little. */
const BUDGET_MS = 300;

export const algorithms: Answerer<'algorithms'> = {
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
  answer(context, question, onProgress) {
    const { heap } = context;
    const { pass, timed = false } = question;
    const listed = heap.algorithms(pass).map(({ name }) => name);
    const names = question.algorithms === 'all' ? listed : question.algorithms;
    const progress = new Progress(names.length + 1, onProgress);
    // Other algorithms run in a session of their own: the tensors of the problem stay as they are.
    const own = ownSession(context);
    const timeOf = timed ? timerOf(own, pass) : null;
    try {
      own.setAlgorithm(pass, listed.at(-1) ?? '');
      progress.part('reference', (step) => own.run(pass, step));
      own.write('result', own.copy(RESULT_OF[pass]));
      const rows = names.map((name) =>
        progress.part(timed ? `timing ${name}` : name, (step) => compareOne(own, pass, name, step, timeOf)),
      );
      return { pass, rows };
    } finally {
      own.close();
    }
  },
  // The difference depends on every cell, including hidden ones.
  hide(_context, { pass }, answer, masks) {
    if (!masks.any(RESULT_OF[pass])) return answer;
    const hidden = ({ error }: CompareRow) => (error ? null : Number.NaN);
    return { pass, rows: answer.rows.map((row) => ({ ...row, max_abs_difference: hidden(row) })) };
  },
};

/** Measures the milliseconds of the planned algorithm. It has run once, in `first` ms; the warm-up packs the weights. */
type Timer = (first: number) => number;

function timerOf(heap: SessionHeap, pass: Pass): Timer {
  const options = { batch: batchFor(clockStep()), budget: BUDGET_MS };
  return (first) =>
    first > BUDGET_MS ? first : medianTime(new TimedRun(() => heap.runPlanned(pass), options), ROUNDS);
}

function compareOne(heap: SessionHeap, pass: Pass, algorithm: string, step: Step, timeOf: Timer | null): CompareRow {
  try {
    heap.setAlgorithm(pass, algorithm);
    const { milliseconds: first } = heap.run(pass, step);
    const difference = heap.session.max_abs_difference(0, heap.slot(RESULT_OF[pass]), heap.slot('result'));
    const max_abs_difference = heap.must(difference).value;
    return { algorithm, milliseconds: timeOf?.(first) ?? first, max_abs_difference, error: null };
  } catch (thrown) {
    if (!(thrown instanceof ConvFailure)) throw thrown;
    return { algorithm, milliseconds: 0, max_abs_difference: null, error: toConvError(thrown) };
  }
}
