import { signal } from '@preact/signals';
import { ComputeClient } from '../../../compute/client';
import { questionsOf } from '../../../compute/questions';
import type { ExerciseRef } from '../../../lessons/exercises';
import { isDamagedFile } from '../../../loading/damaged-file';
import type { AnswerOf, QuestionOf } from '../../../protocol/questions';
import { requestOf } from '../../../state/exchange';
import type { LazyStatus } from '../../../ui/lazy';
import { judgedAs } from '../predict/predictor';
import type { ExerciseSubject } from './hand-in';
import { type Draw, type ExerciseQuestion, settledQuestion, type ValueQuestion } from './question';

/** The questions of sets about a hidden value depend on the values: the library rejects draws that a mistake answers. */

/** A question about the hidden cell of `asked`, to the library; null: it failed. */
export async function askAbout<Q extends QuestionOf<'ambiguous'> | QuestionOf<'diagnose'>>(
  client: ComputeClient,
  asked: ValueQuestion,
  question: (judged: Pick<QuestionOf<'diagnose'>, 'pass' | 'layer' | 'index'>) => Q,
): Promise<AnswerOf<Q> | null> {
  const { problem, cell } = asked;
  const computed = await client.compute(requestOf(problem, [cell]));
  if (computed.status !== 'done') return null;
  const judged = asked.kind === 'network' ? asked.judged : { pass: judgedAs(cell.tensor) };
  const now = await questionsOf(client).once(computed.result.revision, question({ ...judged, index: cell.index }));
  return now.status === 'answered' ? now.answer : null;
}

/** Whether a mistake that the page lists gives the right value, so that the answer does not show it. */
export async function isAmbiguous(client: ComputeClient, asked: ValueQuestion): Promise<boolean> {
  const answer = await askAbout(client, asked, (judged) => ({ kind: 'ambiguous', ...judged }));
  if (answer === null) throw new Error('the question was not answered');
  return answer.ambiguous;
}

const keyOf = ({ set, index }: ExerciseRef, draw: Draw): string => JSON.stringify([set.id, index, draw]);

export function createDraws() {
  const settled = signal<ReadonlyMap<string, ExerciseQuestion | null>>(new Map());
  const status = signal<LazyStatus>('unasked');
  let last: { readonly key: string; readonly again: () => void } | null = null;

  /** All questions of a set, the open one first, in a worker that ends afterwards. */
  const settleAll = async (
    { set, index }: ExerciseRef,
    draw: Draw,
    subject: ExerciseSubject,
    isCurrent: () => boolean,
  ) => {
    const client = new ComputeClient();
    try {
      for (let step = 0; step < set.questions; step += 1) {
        const here = { set, index: (index + step) % set.questions };
        const question = await settledQuestion(here, draw, subject, (asked) => isAmbiguous(client, asked));
        if (!isCurrent()) return;
        settled.value = new Map(settled.peek()).set(keyOf(here, draw), question);
      }
    } finally {
      client.dispose();
    }
  };
  const start = async (exerciseRef: ExerciseRef, draw: Draw, subject: ExerciseSubject) => {
    const key = keyOf({ ...exerciseRef, index: 0 }, draw);
    if (last?.key === key && status.peek() !== 'failed') return;
    const own = { key, again: () => void start(exerciseRef, draw, subject) };
    last = own;
    status.value = 'loading';
    try {
      await settleAll(exerciseRef, draw, subject, () => last === own);
      if (last === own) status.value = 'ready';
    } catch (cause) {
      if (last === own) status.value = isDamagedFile(cause) ? 'damaged' : 'failed';
    }
  };
  return {
    what: 'The question',
    status,
    retry: () => last?.again(),
    /** Undefined: not settled. */
    of: (exerciseRef: ExerciseRef, draw: Draw): ExerciseQuestion | null | undefined =>
      settled.value.get(keyOf(exerciseRef, draw)),
    settle: (exerciseRef: ExerciseRef, draw: Draw, subject: ExerciseSubject): void =>
      void start(exerciseRef, draw, subject),
  };
}
