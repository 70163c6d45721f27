import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ComputeClient } from '../../../compute/client';
import { stepRefOf } from '../../../lessons/lessons';
import type { MistakeEntry, NameBugAnswer } from '../../../protocol/questions';
import { Button } from '../../../ui/controls/Button';
import { Select } from '../../../ui/controls/Choice';
import { PendingLine } from '../../questions/PendingLine';
import { useAnsweredSubject } from '../../questions/use-answered-subject';
import type { Course } from '../course';
import { type BugRef, letterName, persistGuess } from './bugs';

interface GuessFormProps {
  readonly client: ComputeClient;
  readonly course: Course;
  readonly bugRef: BugRef;
  readonly names: readonly Pick<MistakeEntry, 'id' | 'title'>[];
  /** Revision of the current problem. */
  readonly revision: number;
  readonly isFound: boolean;
}

/** A guess of the bug's name for this problem; null: reveal it. */
interface Guess {
  readonly id: string | null;
  readonly pass: BugRef['pass'];
  readonly revision: number;
}

/** Choose a name for the bug and check it. */
export function GuessForm({ client, course, bugRef, names, revision, isFound }: GuessFormProps) {
  const { seed, letter, pass } = bugRef;
  const [chosen, setChosen] = useState('');
  const [guess, setGuess] = useState<Guess | null>(null);
  const subject = useMemo(
    () =>
      guess && {
        of: guess,
        revision: guess.revision,
        content: guess,
        questions: [{ kind: 'name_bug', seed, letter, pass: guess.pass, id: guess.id } as const],
      },
    [guess, seed, letter],
  );
  const { answered, pending, cancel, retry } = useAnsweredSubject(client, subject);
  const answer = answered?.answers.of('name_bug')[0]?.answer ?? null;
  const verdict = guess && answer && answered?.content === guess ? answer : null;
  const known = verdict?.bug ?? null;
  /** Explains the correct computation. */
  const step = known && stepRefOf(known.step);
  // For another problem or pass, only a revealed name is still valid.
  const timely = guess !== null && guess.revision === revision && guess.pass === pass;
  useEffect(() => {
    if (guess?.id && verdict) persistGuess(seed, letter, verdict.verdict === 'right');
  }, [guess, verdict, seed, letter]);
  const title = names.find(({ id }) => id === guess?.id)?.title ?? '';
  return (
    <div class="spot__name">
      <h3>Which bug is {letterName(letter)}?</h3>
      <Select
        label="Name of the bug"
        quiet
        value={chosen}
        placeholder="Choose a bug …"
        options={names.map(({ id, title: label }) => ({ value: id, label }))}
        onChange={setChosen}
      />
      <div class="spot__bar">
        <Button kind="primary" disabled={chosen === ''} onClick={() => setGuess({ id: chosen, pass, revision })}>
          Check
        </Button>
        {!isFound && known === null && <Button onClick={() => setGuess({ id: null, pass, revision })}>Reveal</Button>}
      </div>
      <PendingLine pending={pending} onCancel={cancel} onRetry={retry} />
      <div class="spot__told" role="status">
        {verdict && (timely || known) && <GuessResult named={verdict} title={title} letter={letterName(letter)} />}
      </div>
      {step && (
        <p>
          <Button onClick={() => course.open(step.lesson, step.index)}>
            Lesson: {step.lesson.title}, “{step.step.title}”
          </Button>
        </p>
      )}
    </div>
  );
}

interface GuessResultProps {
  readonly named: NameBugAnswer;
  /** Of the guessed bug. */
  readonly title: string;
  readonly letter: string;
}

function GuessResult({ named: { verdict, bug, equivalent }, title, letter }: GuessResultProps) {
  if (verdict === 'other') return <p>{`No: “${title}” gives different values here than bug ${letter}.`}</p>;
  if (verdict === 'equivalent') {
    return <p>Not this bug, but “{title}” gives the same values here. Change the settings until they differ.</p>;
  }
  if (!bug) return null;
  return (
    <>
      <p>
        <strong>
          {verdict === 'right' ? '✓ Correct' : `Bug ${letter}`}: {bug.title}.
        </strong>{' '}
        {bug.sentence}
      </p>
      {equivalent.length > 0 && <p>These settings cannot tell it from {equivalentNames(equivalent)}.</p>}
    </>
  );
}

/** With more names, only their number is shown. */
const MOST_NAMED = 3;

function equivalentNames(bugs: readonly MistakeEntry[]): string {
  if (bugs.length > MOST_NAMED) return `${bugs.length} other bugs`;
  return new Intl.ListFormat('en-GB').format(bugs.map(({ title }) => `“${title}”`));
}
