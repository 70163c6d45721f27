import { useEffect, useMemo, useState } from 'preact/hooks';
import { stepRefOf } from '../../../lessons/lessons';
import type { Content } from '../../../protocol/messages';
import { RESULT_OF } from '../../../protocol/problem';
import type { MistakeEntry } from '../../../protocol/questions';
import { bugLines } from '../../../snippets/bug-lines';
import { Button } from '../../../ui/controls/Button';
import { Select } from '../../../ui/controls/Choice';
import type { Page } from '../../page/page';
import { useAnsweredSubject } from '../../questions/answered-subject';
import { PendingLine } from '../../questions/PendingLine';
import { courseOf } from '../course';
import { type BugRef, letterName, persistGuess } from './bugs';

interface GuessFormProps {
  readonly page: Page;
  readonly bugRef: BugRef;
  readonly names: readonly Pick<MistakeEntry, 'id' | 'title'>[];
  /** The current problem. */
  readonly content: Content;
  readonly isFound: boolean;
}

/** A guess of the bug's name for this problem; null: reveal it. */
interface Guess {
  readonly id: string | null;
  readonly pass: BugRef['pass'];
  readonly revision: number;
  readonly layer: number;
}

/** Choose a name for the bug and check it. */
export function GuessForm({ page, bugRef, names, content, isFound }: GuessFormProps) {
  const { revision, index: layer } = content;
  const { seed, letter, pass } = bugRef;
  const [chosen, setChosen] = useState('');
  const [guess, setGuess] = useState<Guess | null>(null);
  const subject = useMemo(
    () =>
      guess && {
        of: guess,
        ...{ revision: guess.revision, layer: guess.layer },
        content: guess,
        questions: [{ kind: 'name_bug', seed, letter, pass: guess.pass, id: guess.id } as const],
      },
    [guess, seed, letter],
  );
  const { answered, ...asking } = useAnsweredSubject(page.client, subject);
  const answer = answered?.answers.of('name_bug')[0]?.answer ?? null;
  const verdict = guess && answer && answered?.content === guess ? answer : null;
  const known = verdict?.bug ?? null;
  /** Explains the correct computation. */
  const step = known && stepRefOf(known.step);
  // For another problem or pass, only a revealed name is still valid.
  const timely = guess !== null && guess.revision === revision && guess.pass === pass;
  const told = timely || known ? verdict : null;
  useEffect(() => {
    if (guess?.id && verdict) persistGuess(seed, letter, verdict.verdict === 'right');
  }, [guess, verdict, seed, letter]);
  const name = letterName(letter);
  const title = names.find(({ id }) => id === guess?.id)?.title ?? '';
  return (
    <div class="spot__name callout grid">
      <h3>Which bug is {name}?</h3>
      <Select
        label="Name of the bug"
        quiet
        value={chosen}
        placeholder="Choose a bug …"
        options={names.map(({ id, title: label }) => ({ value: id, label }))}
        onChange={setChosen}
      />
      <div class="wrap">
        <Button kind="primary" disabled={chosen === ''} onClick={() => setGuess({ id: chosen, pass, revision, layer })}>
          Check
        </Button>
        {!isFound && known === null && (
          <Button onClick={() => setGuess({ id: null, pass, revision, layer })}>Reveal</Button>
        )}
      </div>
      <PendingLine {...asking} />
      <div class="spot__told grid" role="status">
        {told?.verdict === 'other' && <p>{`No: “${title}” gives different values here than bug ${name}.`}</p>}
        {told?.verdict === 'equivalent' && (
          <p>Not this bug, but “{title}” gives the same values here. Change the settings until they differ.</p>
        )}
        {told?.bug && (
          <p>
            <strong>
              {told.verdict === 'right' ? '✓ Correct' : `Bug ${name}`}: {told.bug.title}.
            </strong>{' '}
            {told.bug.sentence}
          </p>
        )}
        {told?.bug && told.equivalent.length > 0 && (
          <p>These settings cannot tell it from {equivalentNames(told.equivalent)}.</p>
        )}
      </div>
      {known && <WrongLines content={content} pass={pass} bug={known} />}
      {step && (
        <p>
          <Button onClick={() => courseOf(page).open(step.lesson, step.index)}>
            Lesson: {step.lesson.title}, “{step.step.title}”
          </Button>
        </p>
      )}
    </div>
  );
}

interface WrongLinesProps {
  readonly content: Content;
  readonly pass: BugRef['pass'];
  readonly bug: MistakeEntry;
}

/** The lines of the loops that the bug changes, each beside the right one. */
function WrongLines({ content: { geometry, tensors }, pass, bug }: WrongLinesProps) {
  const changed = bugLines({ geometry, bias: tensors.b !== undefined }, pass, bug.id);
  const result = RESULT_OF[pass];
  if (!changed) return <p class="spot__check soft">This bug does not change the loops of {result}.</p>;
  return (
    <figure class="spot__code grid tight">
      <figcaption>In the loops of {result} (tab Code), the bug changes:</figcaption>
      {changed.lines.map(({ right, wrong }) => (
        <dl key={wrong} class="spot__line grid tight">
          {right !== null && (
            <div>
              <dt>right</dt>
              <dd>
                <code>{right}</code>
              </dd>
            </div>
          )}
          <div class="spot__line--wrong">
            <dt>{right === null ? 'added' : 'wrong'}</dt>
            <dd>
              <code>{wrong}</code>
            </dd>
          </div>
        </dl>
      ))}
      {changed.note && <p class="spot__check soft">{changed.note}</p>}
    </figure>
  );
}

/** With more names, only their number is shown. */
const MOST_NAMED = 3;

function equivalentNames(bugs: readonly MistakeEntry[]): string {
  if (bugs.length > MOST_NAMED) return `${bugs.length} other bugs`;
  return new Intl.ListFormat('en-GB').format(bugs.map(({ title }) => `“${title}”`));
}
