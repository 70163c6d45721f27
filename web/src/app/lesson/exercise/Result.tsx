import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ExerciseSet } from '../../../lessons/exercises';
import { MOST_NAME } from '../../../link/look-fields';
import { Button } from '../../../ui/controls/Button';
import type { Page, SideTabProps } from '../../page/page';
import { type AnswerMark, markOnce, markText, questionAt, SEAL_WORDS, totalText } from './marking';
import { answerWords } from './question';
import { exerciseSessionOf } from './session';
import { answerAt, isEach, subjectName } from './work';

/** The result of a set. The library checks every answer again, so a link cannot claim a mark. */
export function ExerciseResult({ page, context, set }: SideTabProps & { set: ExerciseSet }) {
  const session = exerciseSessionOf(page);
  const answers = session.answers.value;
  const work = session.work.value;
  const seal = session.seal.value;
  const subject = session.own.value;
  const handedIn = { set, work, subject, seal };
  const [marks, setMarks] = useState<ReadonlyMap<number, AnswerMark>>(new Map());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the other fields of `work` do not change a mark
  useEffect(() => {
    setMarks(new Map());
    return markOnce(handedIn, (index, mark) => {
      setMarks((before) => new Map(before).set(index, mark));
      if (seal !== 'edited' && (mark === 'right' || mark === 'wrong')) session.note(index, mark === 'right');
    });
  }, [set, work.answers, work.seed, work.student, seal, subject, session]);
  const right = [...marks.values()].filter((mark) => mark === 'right').length;
  const done = marks.size === set.questions;
  const facts = [
    ['name', work.student ?? '–'],
    ['set', subjectName(set, subject)],
    ...(work.seed === null ? [] : [['seed', work.seed.replace('.each', ', by name')]]),
    ...(work.date === null ? [] : [['handed in', work.date.replace('T', ' ').replace('Z', ' UTC')]]),
    ...(seal === 'open' ? [] : [['link', SEAL_WORDS[seal]]]),
  ];
  return (
    <>
      <p class="exercise__total" role="status">
        {done ? totalText(right, set.questions, seal) : 'Marking the answers…'}
      </p>
      <dl class="facts grid tight">
        {facts.map(([title, text]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
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
            const mark = marks.get(index);
            return (
              <tr key={index}>
                <td>
                  <button type="button" class="predict__cure" onClick={() => session.open(set, index)}>
                    {index + 1}
                  </button>
                </td>
                <td>{answer.written === '' ? '–' : answerWords(questionAt(handedIn, index), answer.written)}</td>
                <td>{mark ? markText(mark, answer, seal) : '…'}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {seal !== 'edited' && !isEach(work) && <NameField page={page} />}
      {session.isNamed.value && (
        <p class="lesson__words">
          The name stays with these answers.
          {set.asks.length > 0 && ' “New questions” starts again, also with another name.'}
        </p>
      )}
      <p class="lesson__words">
        This link contains your name and answers. Hand it in: anyone with the link sees this table.
      </p>
      <div class="lesson__bar row">
        <Button
          kind="primary"
          onClick={() => {
            session.handIn();
            context.copyLink();
          }}
        >
          Copy link
        </Button>
        {set.asks.length > 0 && <Button onClick={session.again}>New questions</Button>}
      </div>
      {seal !== 'open' && (
        <p class="note">
          For teachers: the link carries a digest, so this page shows if a link was changed by hand. It is no proof: the
          key is in the program of this page, so it can be forged.
        </p>
      )}
    </>
  );
}

/** The name of the student, for the link. Nothing if the name stays with the answers. */
export function NameField({ page, needed = false }: { page: Page; needed?: boolean }) {
  const session = exerciseSessionOf(page);
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  if (session.isNamed.value) return null;
  const set = () => {
    if (!box.current) return;
    session.setName(box.current.value);
    box.current.value = session.work.peek().student ?? '';
  };
  return (
    <p class="exercise__name row wrap">
      <label for={id}>Your name{needed ? '' : ' (optional)'}</label>
      <input
        ref={box}
        id={id}
        type="text"
        autocomplete="name"
        maxLength={MOST_NAME}
        defaultValue={session.work.value.student ?? ''}
        onBlur={needed ? undefined : set}
        onKeyDown={(event) => {
          if (event.key === 'Enter') set();
        }}
      />
      {needed && (
        <Button kind="primary" onClick={set}>
          Start
        </Button>
      )}
    </p>
  );
}
