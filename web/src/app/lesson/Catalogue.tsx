import { LESSONS, type NamedLesson } from '../../lessons/lessons';
import { Button } from '../../ui/controls/Button';
import { useRestoreFocus } from '../page/hooks';
import type { Course } from './course';
import { progress } from './progress';

interface CatalogueProps {
  readonly course: Course;
  /** Name of a step that a link asked for and that does not exist. */
  readonly unknown: string | null;
  readonly onDerivation: () => void;
  readonly onBugs: () => void;
  readonly onClass: () => void;
}

/** All lessons in reading order, with the progress in each. */
export function Catalogue({ course, unknown, onDerivation, onBugs, onClass }: CatalogueProps) {
  const { done, at } = progress.value;
  const [first] = LESSONS;
  const nextLesson = LESSONS.find(({ id }) => !done.includes(id)) ?? first;
  useRestoreFocus('catalogue', () => document.querySelector<HTMLElement>('.catalogue__title'));
  return (
    <section class="catalogue" aria-label="Lessons">
      <h2 class="catalogue__title" tabIndex={-1}>
        {done.length === 0 ? 'Start here' : `${done.length} of ${LESSONS.length} lessons done`}
      </h2>
      {unknown !== null && (
        <p class="catalogue__words" role="status">
          This page has no lesson step called “{unknown}”. The link may be from another version of the page.
        </p>
      )}
      <p class="catalogue__words">
        {LESSONS.length} short lessons. Each step is one small task on the page. Press Esc to leave a lesson and get
        your own work back.
      </p>
      {nextLesson && (
        <p>
          <Button kind="primary" onClick={() => course.open(nextLesson, at[nextLesson.id] ?? 0)}>
            {done.length === 0 && at[nextLesson.id] === undefined ? 'Start' : 'Continue'}: {nextLesson.title}
          </Button>
        </p>
      )}
      <p class="catalogue__ways">
        <Button onClick={goToExercises}>Exercises</Button>
        <Button onClick={onBugs}>Spot the bug</Button>
        <Button onClick={onDerivation}>Derivation of the formulas</Button>
        <Button onClick={onClass}>For teachers: prepare a link for class</Button>
      </p>
      <ol class="catalogue__list">
        {LESSONS.map((lesson) => (
          <li key={lesson.id}>
            <button type="button" class="catalogue__lesson" onClick={() => course.open(lesson, at[lesson.id] ?? 0)}>
              <span class="catalogue__name">{lesson.title}</span>
              <span class="catalogue__sentence">{lesson.sentence}</span>
              <span class="catalogue__state">{stateOf(lesson, done, at)}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The exercises are below the lessons. */
function goToExercises(): void {
  const title = document.querySelector<HTMLElement>('.exercise-list .catalogue__title');
  title?.scrollIntoView({ block: 'start' });
  title?.focus();
}

function stateOf({ id, steps }: NamedLesson, done: readonly string[], at: Readonly<Record<string, number>>): string {
  const index = at[id];
  if (index !== undefined && index < steps.length) return `step ${index + 1} of ${steps.length}`;
  return done.includes(id) ? '✓ done' : `${steps.length} steps`;
}
