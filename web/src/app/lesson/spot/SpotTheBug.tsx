import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../../ui/controls/Button';
import { Checkbox, Segmented } from '../../../ui/controls/Choice';
import type { Page } from '../../page';
import { PendingLine } from '../../questions/PendingLine';
import { usePicture } from '../../questions/use-picture';
import { useStaged } from '../../stage/staged';
import { useFoothold } from '../../use-foothold';
import type { Course } from '../course';
import { BugMaps } from './BugMaps';
import { CheckWords } from './CheckWords';
import { EXPERIMENTS } from './experiments';
import { NameIt } from './NameIt';
import { type BugPlace, bugPlaceText, letterName, MADE, MADE_BY, madeBy } from './place';
import { shelfOf } from './score';
import './spot.css';

interface SpotTheBugProps {
  readonly page: Page;
  readonly course: Course;
  readonly place: BugPlace;
}

/** A shelf of wrong algorithms without labels: what each makes of the problem on the stage, and a name to be given to it. */
export function SpotTheBug({ page, course, place }: SpotTheBugProps) {
  const { look, store, client, scene } = page;
  const { seed, letter, pass } = place;
  const made = madeBy(pass);
  const name = letterName(letter);
  const content = scene.value;
  const beside = useStaged().show?.picture.content.value?.revision ?? null;
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
  const { picture, pending, cancel, retry } = usePicture(client, subject, { beside });
  const [bug] = picture?.answers.of('bug') ?? [];
  const [names, setNames] = useState(bug?.answer.names ?? []);
  if (bug && names.length === 0) setNames(bug.answer.names);
  const { found, guesses } = shelfOf(seed);
  const go = (change: Partial<BugPlace>) => {
    look.lesson.value = bugPlaceText({ ...place, ...change });
  };
  useFoothold('spot', () => document.querySelector<HTMLElement>('.spot .lesson__title'));
  const { desc } = store.problem.value;
  const right = picture?.content.tensors[made];
  return (
    <section class="spot" aria-label="Spot the bug">
      <div class="lesson__head">
        <h2 class="lesson__title" tabIndex={-1}>
          Spot the bug
        </h2>
        <Button
          label="Back to the lessons"
          kind="icon"
          onClick={() => {
            look.lesson.value = null;
          }}
        >
          ×
        </Button>
      </div>
      <p class="catalogue__words">
        Each letter is a convolution program with one bug. See what it makes of the problem on the stage, change the
        problem until you know which bug it is, and name it.
      </p>
      {names.length > 0 && (
        <>
          <p class="lesson__where">
            {found.length} of {names.length} found, {guesses} {guesses === 1 ? 'name' : 'names'} given
          </p>
          <div class="spot__shelf">
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
        label="What it computes"
        value={made}
        options={MADE.map((value) => ({ value, label: value }))}
        onChange={(chosen) => go({ pass: MADE_BY[chosen] })}
      />
      <PendingLine pending={pending} onCancel={cancel} onRetry={retry} />
      {picture && bug && right && (
        <>
          <BugMaps
            look={look}
            geometry={picture.content.geometry}
            made={made}
            name={name}
            right={right}
            bug={bug.answer}
          />
          <WrongCells
            difference={bug.answer.difference.data}
            made={made}
            onGo={(index) => look.visit({ tensor: made, index })}
          />
          <CheckWords geometry={picture.content.geometry} made={made} name={name} check={bug.answer.check} />
        </>
      )}
      {names.length > 0 && content && (
        <NameIt
          key={`${seed} ${letter}`}
          client={client}
          course={course}
          place={place}
          names={names}
          revision={content.revision}
          isFound={found.includes(letter)}
        />
      )}
      <fieldset class="spot__tries">
        <legend>Experiments, as in the controls; Undo takes them back</legend>
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
          Other numbers in x and w
        </Button>
      </fieldset>
      {names.length > 0 && found.length === names.length && (
        <Button onClick={() => go({ seed: seed + 1, letter: 0 })}>All found. Another order of letters</Button>
      )}
    </section>
  );
}

interface WrongCellsProps {
  readonly difference: Float32Array;
  readonly made: string;
  readonly onGo: (index: number) => void;
}

/** How many cells are off, in whichever slices. */
function WrongCells({ difference, made, onGo }: WrongCellsProps) {
  const off = difference.filter((value) => value !== 0).length;
  if (off === 0) {
    return (
      <p class="spot__none">
        Nothing is wrong here: on this problem the bug computes just what is right. Change the problem.
      </p>
    );
  }
  return (
    <p class="spot__none">
      {off} of {difference.length} {difference.length === 1 ? 'cell' : 'cells'} of {made} {off === 1 ? 'is' : 'are'}{' '}
      wrong. <Button onClick={() => onGo(difference.findIndex((value) => value !== 0))}>Show one on the stage</Button>
    </p>
  );
}
