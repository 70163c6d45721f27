import { useEffect, useState } from 'preact/hooks';
import type { NamedSet } from '../../lessons/exercises';
import { Button } from '../../ui/controls/Button';
import { MINUS } from '../../ui/numbers';
import type { SideTabProps } from '../side/tab';
import { type Answer, answerAt, NO_ANSWERS } from './answers';
import { type Mark, markAll } from './marking';
import type { Run } from './run';

interface ResultProps extends SideTabProps {
  readonly run: Run;
  readonly set: NamedSet;
}

/** What came of a set. Whoever opens its link, a teacher perhaps, sees every answer judged by the library, not what the link says. */
export function Result({ page, hands, run, set }: ResultProps) {
  const text = page.look.answers.value;
  const answers = run.answers.value;
  const [marks, setMarks] = useState<ReadonlyMap<number, Mark>>(new Map());
  // biome-ignore lint/correctness/useExhaustiveDependencies: `answers` is what `text` says
  useEffect(() => {
    setMarks(new Map());
    return markAll(set, answers, (index, mark) => {
      setMarks((before) => new Map(before).set(index, mark));
      if (mark === 'right' || mark === 'wrong') run.note(index, mark === 'right');
    });
  }, [set, text, run]);
  const right = [...marks.values()].filter((mark) => mark === 'right').length;
  const done = marks.size === set.questions;
  return (
    <>
      <p class="exercise__total" role="status">
        {done ? `${right} of ${set.questions} right.` : 'The answers are being marked …'}
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
                  <button type="button" class="predict__cure" onClick={() => run.open(set, index)}>
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
      <p class="lesson__words">
        The link holds these answers. Whoever opens it sees them marked like this: hand it in.
      </p>
      <div class="lesson__bar">
        <Button kind="primary" onClick={hands.copyLink}>
          Copy the link
        </Button>
        <Button onClick={() => run.open(set, 0, { ...NO_ANSWERS, round: answers.round + 1 })}>Other numbers</Button>
      </div>
    </>
  );
}

function wordsOf(mark: Mark | undefined, { hinted, revealed, misses }: Answer): string {
  if (mark === undefined) return '…';
  if (mark === 'none') return revealed ? 'shown' : 'not answered';
  if (mark === 'unjudged') return 'could not be judged';
  const help = [
    ...(revealed ? ['after it was shown'] : hinted ? ['with a hint'] : []),
    ...(misses > 0 && mark === 'right' ? [`after ${misses} wrong`] : []),
  ];
  return [mark === 'right' ? '✓ right' : '✗ wrong', ...help].join(', ');
}
