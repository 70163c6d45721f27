import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ComputeClient } from '../../../compute/client';
import { placeOf } from '../../../lessons/lessons';
import type { MistakeEntry, NamedBug } from '../../../protocol/questions';
import { Button } from '../../../ui/controls/Button';
import { Select } from '../../../ui/controls/Choice';
import { PendingLine } from '../../questions/PendingLine';
import { usePicture } from '../../questions/use-picture';
import type { Course } from '../course';
import { type BugPlace, letterName } from './place';
import { keepGuess } from './score';

type Name = Pick<MistakeEntry, 'id' | 'title'>;

interface NameItProps {
  readonly client: ComputeClient;
  readonly course: Course;
  readonly place: BugPlace;
  readonly names: readonly Name[];
  /** Of the problem on the stage. */
  readonly revision: number;
  readonly isFound: boolean;
}

/** A name that was given to a bug, while the stage showed this problem; null: to be told. */
interface Said {
  readonly id: string | null;
  readonly pass: BugPlace['pass'];
  readonly revision: number;
}

/** Where one says which bug it is, and hears whether it is. */
export function NameIt({ client, course, place, names, revision, isFound }: NameItProps) {
  const { seed, letter, pass } = place;
  const [chosen, setChosen] = useState('');
  const [said, setSaid] = useState<Said | null>(null);
  const subject = useMemo(
    () =>
      said && {
        of: said,
        revision: said.revision,
        content: said,
        questions: [{ kind: 'name_bug', seed, letter, pass: said.pass, id: said.id } as const],
      },
    [said, seed, letter],
  );
  const { picture, pending, cancel, retry } = usePicture(client, subject);
  const answer = picture?.answers.of('name_bug')[0]?.answer ?? null;
  const verdict = said && answer && picture?.content === said ? answer : null;
  const known = verdict?.bug ?? null;
  // Of another problem, or of another pass, only who was named is still true.
  const timely = said !== null && said.revision === revision && said.pass === pass;
  useEffect(() => {
    if (said?.id && verdict) keepGuess(seed, letter, verdict.verdict === 'right');
  }, [said, verdict, seed, letter]);
  const title = names.find(({ id }) => id === said?.id)?.title ?? '';
  return (
    <div class="spot__name">
      <h3>Which bug is {letterName(letter)}?</h3>
      <Select
        label="Which bug it is"
        quiet
        value={chosen}
        placeholder="Choose a bug …"
        options={names.map(({ id, title: label }) => ({ value: id, label }))}
        onChange={setChosen}
      />
      <div class="spot__bar">
        <Button kind="primary" disabled={chosen === ''} onClick={() => setSaid({ id: chosen, pass, revision })}>
          That is it
        </Button>
        {!isFound && known === null && <Button onClick={() => setSaid({ id: null, pass, revision })}>Tell me</Button>}
      </div>
      <PendingLine pending={pending} onCancel={cancel} onRetry={retry} />
      <div class="spot__told" role="status">
        {verdict && (timely || known) && <Verdict named={verdict} title={title} letter={letterName(letter)} />}
      </div>
      {known && <Cure bug={known} course={course} />}
    </div>
  );
}

interface VerdictProps {
  readonly named: NamedBug;
  /** What was said. */
  readonly title: string;
  readonly letter: string;
}

function Verdict({ named: { verdict, bug, alike }, title, letter }: VerdictProps) {
  if (verdict === 'other')
    return (
      <p>
        No: “{title}” computes other numbers here than bug {letter} does.
      </p>
    );
  if (verdict === 'alike') {
    return (
      <p>
        Not this one, though here nobody can tell: on this problem “{title}” computes just the same. Change the problem
        so that the two differ.
      </p>
    );
  }
  if (!bug) return null;
  return (
    <>
      <p>
        <strong>
          {verdict === 'right' ? '✓ Yes' : `Bug ${letter}`}: {bug.title}.
        </strong>{' '}
        {bug.sentence}
      </p>
      {alike.length > 0 && (
        <p>
          On this problem it looked the same as {alikeWords(alike)}
          {verdict === 'right' && ': you were lucky, or knew it from another problem'}.
        </p>
      )}
    </>
  );
}

/** More names than this are not read. */
const MOST_NAMED = 3;

function alikeWords(bugs: readonly MistakeEntry[]): string {
  const names = bugs.map(({ title }) => `“${title}”`);
  if (names.length > MOST_NAMED) return `${names.length} other bugs`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** The way to the step of a lesson that tells how it is right. */
function Cure({ bug, course }: { readonly bug: MistakeEntry; readonly course: Course }) {
  const place = placeOf(bug.step);
  if (!place) return null;
  const { lesson, index, step } = place;
  return (
    <p>
      <Button onClick={() => course.open(lesson, index)}>
        Lesson: {lesson.title}, “{step.title}”
      </Button>
    </p>
  );
}
