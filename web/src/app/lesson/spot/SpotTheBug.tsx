import { useMemo, useState } from 'preact/hooks';
import { PASS_OF, RESULT_OF, RESULTS } from '../../../protocol/tensors';
import { Button } from '../../../ui/controls/Button';
import { Checkbox, Segmented } from '../../../ui/controls/Choice';
import { useRestoreFocus } from '../../page/hooks';
import type { Page } from '../../page/page';
import { useAnsweredSubject } from '../../questions/answered-subject';
import { PendingLine } from '../../questions/PendingLine';
import { useCurrentView } from '../../stage/current-view';
import type { Course } from '../course';
import { BugMaps } from './BugMaps';
import { type BugRef, bugRefText, letterName } from './bug-ref';
import { CheckResult } from './CheckResult';
import { EXPERIMENTS } from './experiments';
import { GuessForm } from './GuessForm';
import { scoreOf } from './score';
import './spot.css';

interface SpotTheBugProps {
  readonly page: Page;
  readonly course: Course;
  readonly bugRef: BugRef;
}

/** A set of algorithms with one bug each: shows their results on the current problem and asks for the name of the bug. */
export function SpotTheBug({ page, course, bugRef }: SpotTheBugProps) {
  const { look, store, client, scene } = page;
  const { seed, letter, pass } = bugRef;
  const tensor = RESULT_OF[pass];
  const name = letterName(letter);
  const content = scene.value;
  const beside = useCurrentView().show?.model.content.value?.revision ?? null;
  const subject = useMemo(
    () =>
      content && {
        of: `${seed} ${letter} ${pass}`,
        revision: content.revision,
        content,
        questions: [{ kind: 'bug', seed, letter, pass } as const],
      },
    [content, seed, letter, pass],
  );
  const { answered, pending, cancel, retry } = useAnsweredSubject(client, subject, { shownRevision: beside });
  const [bug] = answered?.answers.of('bug') ?? [];
  const [names, setNames] = useState(bug?.answer.names ?? []);
  if (bug && names.length === 0) setNames(bug.answer.names);
  const { found, guesses } = scoreOf(seed);
  const go = (change: Partial<BugRef>) => {
    look.lesson.value = bugRefText({ ...bugRef, ...change });
  };
  useRestoreFocus('spot', () => document.querySelector<HTMLElement>('.spot .lesson__title'));
  const { desc } = store.problem.value;
  const right = answered?.content.tensors[tensor];
  return (
    <section class="spot" aria-label="Spot the bug">
      <div class="lesson__head">
        <h2 class="lesson__title" tabIndex={-1}>
          Spot the bug
        </h2>
        <Button label="Back to the lessons" kind="icon" onClick={course.leave}>
          ×
        </Button>
      </div>
      <p class="catalogue__words">
        Each letter is a convolution with one bug. Change the settings until you can tell which bug it is.
      </p>
      {names.length > 0 && (
        <>
          <p class="lesson__where">
            {found.length} of {names.length} found, {guesses} {guesses === 1 ? 'guess' : 'guesses'}
          </p>
          <div class="spot__letters">
            <Segmented
              label="Bug"
              value={String(letter)}
              options={names.map((_, index) => ({
                value: String(index),
                label: found.includes(index) ? `${letterName(index)} ✓` : letterName(index),
              }))}
              onChange={(chosen) => go({ letter: Number(chosen) })}
            />
          </div>
        </>
      )}
      <Segmented
        label="Tensor"
        value={tensor}
        options={RESULTS.map((value) => ({ value, label: value }))}
        onChange={(chosen) => go({ pass: PASS_OF[chosen] })}
      />
      <PendingLine pending={pending} look={look} onCancel={cancel} onRetry={retry} />
      {answered && bug && right && (
        <>
          <BugMaps
            look={look}
            geometry={answered.content.geometry}
            tensor={tensor}
            name={name}
            right={right}
            bug={bug.answer}
          />
          <WrongCells
            difference={bug.answer.difference.data}
            tensor={tensor}
            onGo={(index) => look.pinAndShow({ tensor: tensor, index })}
          />
          <CheckResult geometry={answered.content.geometry} tensor={tensor} name={name} check={bug.answer.check} />
        </>
      )}
      {names.length > 0 && content && (
        <GuessForm
          key={`${seed} ${letter}`}
          client={client}
          course={course}
          bugRef={bugRef}
          names={names}
          revision={content.revision}
          isFound={found.includes(letter)}
        />
      )}
      <fieldset class="spot__tries">
        <legend>Experiments (change the controls)</legend>
        {EXPERIMENTS.map(({ label, isOn, on, off }) => (
          <Checkbox
            key={label}
            label={label}
            checked={isOn(desc)}
            onChange={(checked) => store.setDesc(checked ? on : off)}
          />
        ))}
        <Button
          onClick={() => {
            const { source } = store.problem.peek().x;
            const before = source.kind === 'random' ? source.seed : 0;
            store.setSource('x', { kind: 'random', seed: before + 1 });
            store.setSource('w', { kind: 'random', seed: before + 2 });
          }}
        >
          New values in x and w
        </Button>
      </fieldset>
      {names.length > 0 && found.length === names.length && (
        <Button onClick={() => go({ seed: seed + 1, letter: 0 })}>All found. Start again in another order</Button>
      )}
    </section>
  );
}

interface WrongCellsProps {
  readonly difference: Float32Array;
  readonly tensor: string;
  readonly onGo: (index: number) => void;
}

/** Number of wrong cells in all slices. */
function WrongCells({ difference, tensor, onGo }: WrongCellsProps) {
  const off = difference.filter((value) => value !== 0).length;
  if (off === 0) {
    return <p class="spot__none">These settings do not expose the bug. Try others.</p>;
  }
  return (
    <p class="spot__none">
      {off} of {difference.length} {difference.length === 1 ? 'cell' : 'cells'} of {tensor} {off === 1 ? 'is' : 'are'}{' '}
      wrong. <Button onClick={() => onGo(difference.findIndex((value) => value !== 0))}>Show a wrong cell</Button>
    </p>
  );
}
