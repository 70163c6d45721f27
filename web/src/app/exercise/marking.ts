import { ComputeClient } from '../../compute/client';
import type { NamedSet } from '../../lessons/exercises';
import type { Pass } from '../../protocol/problem';
import { requestOf } from '../../state/problem';
import { type Answers, answerAt } from './answers';
import { type Question, questionOf } from './question';

/** What a number came to: nobody wrote one, it is right, wrong, or could not be judged. */
export type Mark = 'none' | 'right' | 'wrong' | 'unjudged';

const PASSES: Readonly<Record<string, Pass>> = {
  y: 'forward',
  dx: 'backward_data',
  dw: 'backward_weights',
  db: 'backward_bias',
};

/**
 * Has every answer judged again, by the library, whatever a link says of it: in a worker of its own, so that the problem on the
 * page stays where it is. `onMark` hears of each; the function that is returned ends it.
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
  const pass = PASSES[cell.tensor];
  if (computed.status !== 'done' || !pass) return 'unjudged';
  const { revision } = computed.result;
  const question = { kind: 'diagnose', pass, index: cell.index, written } as const;
  const judged = await client.ask({ type: 'question', revision, question });
  if (judged.status !== 'done' || !('verdict' in judged.result.answer)) return 'unjudged';
  return judged.result.answer.verdict === 'right' ? 'right' : 'wrong';
}
