import { ComputeClient } from '../../../compute/client';
import { questionsOf } from '../../../compute/questions';
import type { NamedSet } from '../../../lessons/exercises';
import { isResult, PASS_OF } from '../../../protocol/tensors';
import { requestOf } from '../../../state/problem';
import { type Answers, answerAt } from './answers';
import { type Question, questionOf } from './question';

/** Result of one answer: not answered, right, wrong, or not checked because of an error. */
export type Mark = 'none' | 'right' | 'wrong' | 'unjudged';

/**
 * Checks every answer again with the library, whatever the link claims. Uses its own worker, so that the current problem stays
 * loaded. Calls `onMark` for each answer; the returned function cancels.
 */
export function markAll(set: NamedSet, answers: Answers, onMark: (index: number, mark: Mark) => void): () => void {
  const client = new ComputeClient();
  let ended = false;
  const end = () => {
    if (!ended) client.dispose();
    ended = true;
  };
  const all = async () => {
    for (let index = 0; index < set.questions; index += 1) {
      const { written } = answerAt(answers, index);
      const mark = written === '' ? 'none' : await markOf(client, questionOf({ set, index }, answers.round), written);
      if (ended) return;
      onMark(index, mark);
    }
  };
  all().finally(end);
  return end;
}

async function markOf(client: ComputeClient, { problem, cell }: Question, written: string): Promise<Mark> {
  const computed = await client.compute({ ...requestOf(problem), hidden: [cell] });
  const pass = isResult(cell.tensor) ? PASS_OF[cell.tensor] : null;
  if (computed.status !== 'done' || !pass) return 'unjudged';
  const { revision } = computed.result;
  const question = { kind: 'diagnose', pass, index: cell.index, written } as const;
  const judged = await questionsOf(client).once(revision, question);
  if (judged.status !== 'answered') return 'unjudged';
  return judged.answer.verdict === 'right' ? 'right' : 'wrong';
}
