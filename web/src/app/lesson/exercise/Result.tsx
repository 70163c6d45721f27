import { useEffect, useState } from 'preact/hooks';
import type { NamedSet } from '../../../lessons/exercises';
import { Button } from '../../../ui/controls/Button';
import { MINUS } from '../../../ui/numbers';
import type { SideTabProps } from '../../page/page';
import { type Answer, answerAt, NO_ANSWERS } from './answers';
import { type Mark, markAll } from './marking';
import type { ExerciseSession } from './session';

interface ResultProps extends SideTabProps {
  readonly session: ExerciseSession;
  readonly set: NamedSet;
}

/** The result of a set. The library checks every answer again, so a link cannot claim a mark. */
export function Result({ page, context, session, set }: ResultProps) {
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
