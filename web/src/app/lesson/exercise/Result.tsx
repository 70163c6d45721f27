import { useEffect, useState } from 'preact/hooks';
import type { CommandContext } from '../../../commands/command';
import { ComputeClient } from '../../../compute/client';
import { questionsOf } from '../../../compute/questions';
import type { ExerciseSet } from '../../../lessons/exercises';
import { isResult, PASS_OF } from '../../../protocol/tensors';
import { requestOf } from '../../../state/problem';
import { Button } from '../../../ui/controls/Button';
import { MINUS } from '../../../ui/numbers';
import type { Page } from '../../page/page';
import { type Answer, type Answers, answerAt, NO_ANSWERS } from './answers';
import { type Question, questionOf } from './question';
import { exerciseSessionOf } from './session';

interface ResultProps {
  readonly page: Page;
  readonly context: CommandContext;
  readonly set: ExerciseSet;
}

/** The result of a set. The library checks every answer again, so a link cannot claim a mark. */
export function Result({ page, context, set }: ResultProps) {
  const session = exerciseSessionOf(page);
  const text = page.look.answers.value;
  const answers = session.answers.value;
  const [marks, setMarks] = useState<ReadonlyMap<number, Mark>>(new Map());
  // biome-ignore lint/correctness/useExhaustiveDependencies: `answers` is what `text` says
  useEffect(() => {
    setMarks(new Map());
    return markAll(set, answers, (index, mark) => {
      setMarks((before) => new Map(before).set(index, mark));
      if (mark === 'right' || mark === 'wrong') session.note(index, mark === 'right');
    });
  }, [set, text, session]);
  const right = [...marks.values()].filter((mark) => mark === 'right').length;
  const done = marks.size === set.questions;
  return (
    <>
      <p class="exercise__total" role="status">
        {done ? `${right} of ${set.questions} right.` : 'Marking the answers…'}
      </p>
      <table class="exercise__marks">
        <thead>
          <tr>
            <th scope="col">question</th>
            <th scope="col">answer</th>
            <th scope="col">mark</th>
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: set.questions }, (_, index) => {
            const answer = answerAt(answers, index);
            return (
              <tr key={index}>
                <td>
                  <button type="button" class="predict__cure" onClick={() => session.open(set, index)}>
                    {index + 1}
                  </button>
                </td>
                <td>{answer.written === '' ? '–' : answer.written.replace('-', MINUS)}</td>
                <td>{wordsOf(marks.get(index), answer)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="lesson__words">This link contains your answers. Hand it in: anyone with the link sees this table.</p>
      <div class="lesson__bar">
        <Button kind="primary" onClick={context.copyLink}>
          Copy link
        </Button>
        <Button onClick={() => session.open(set, 0, { ...NO_ANSWERS, round: answers.round + 1 })}>New questions</Button>
      </div>
    </>
  );
}

function wordsOf(mark: Mark | undefined, { hinted, revealed, misses }: Answer): string {
  if (mark === undefined) return '…';
  if (mark === 'none') return revealed ? 'revealed' : 'not answered';
  if (mark === 'unjudged') return 'could not be checked';
  const help = [
    ...(revealed ? ['after revealing'] : hinted ? ['with a hint'] : []),
    ...(misses > 0 && mark === 'right' ? [`after ${misses} wrong`] : []),
  ];
  return [mark === 'right' ? '✓ right' : '✗ wrong', ...help].join(', ');
}

/** Result of one answer: not answered, right, wrong, or not checked because of an error. */
type Mark = 'none' | 'right' | 'wrong' | 'unjudged';

/**
 * Checks every answer again with the library, whatever the link claims. Uses its own worker, so that the current problem stays
 * loaded. Calls `onMark` for each answer; the returned function cancels.
 */
function markAll(set: ExerciseSet, answers: Answers, onMark: (index: number, mark: Mark) => void): () => void {
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
