import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isText } from '../../commands/list';
import { perform } from '../../commands/perform';
import { type ExerciseSet, exerciseSets, OWN_SET } from '../../lessons/exercises';
import type { Lesson } from '../../lessons/lesson';
import { LESSONS, PATHS, type Path } from '../../lessons/lessons';
import { Button } from '../../ui/controls/Button';
import { lazy } from '../../ui/lazy';
import { isSwitchedOff } from '../../ui/single-keys';
import type { SideTabProps, StudyProps } from '../page/page';
import { type Course, courseOf } from './course';
import { Derivation } from './Derivation';
import { Exercise } from './exercise/Exercise';
import { exerciseSessionOf } from './exercise/session';
import { isAnswered, persistedWork, readAnswers, storedWork } from './exercise/work';
import { Lecture, lectureOf } from './Lecture';
import { askedCell, LessonStep } from './Lesson';
import { isExplained } from './predict/predictor';
import { progress } from './progress';
import { lastSeed } from './spot/bugs';
import { openBug, SpotTheBug } from './spot/SpotTheBug';
import { type Study, studyStateOf, studyText } from './study';
import './lesson.css';

const homework = lazy('The homework dialog', () => import('./exercise/Homework'));

/** The open study, or the list of all. */
export function Lessons(props: StudyProps) {
  const course = courseOf(props.page);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const act = course.step.peek() ? actOf(event, course) : null;
      if (!act) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    // Runs before the page's own keys, where Esc unpins a cell.
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, [course]);
  const study = studyStateOf(props.page).current.value;
  const kind = study?.kind;
  // What was chosen or left had the focus, and is gone. A link leaves the focus where the browser puts it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each kind has a title of its own
  useLayoutEffect(() => {
    if (document.activeElement === document.body && navigator.userActivation?.hasBeenActive)
      document.querySelector<HTMLElement>('.lesson__title, .catalogue__title')?.focus();
  }, [kind]);
  const lecturing = lectureOf(props.page).value;
  switch (study?.kind) {
    case 'lesson':
      if (lecturing) return <Lecture page={props.page} course={course} stepRef={study} />;
      return (
        <>
          <LessonStep page={props.page} course={course} stepRef={study} />
          {isExplained(props.page, askedCell(study.step)) && (
            <div class="lesson-cell">
              <props.Explain {...props} predicted={askedCell(study.step)} />
            </div>
          )}
        </>
      );
    case 'exercise':
      return <Exercise {...props} exerciseRef={study} />;
    case 'bug':
      return <SpotTheBug page={props.page} bugRef={study} />;
    case 'derivation':
      return <Derivation page={props.page} />;
    default:
      return <Catalogue {...props} />;
  }
}

/** The action of a key in an open lesson. */
function actOf(event: KeyboardEvent, course: Course): (() => void) | null {
  const { key, target, altKey, ctrlKey, metaKey } = event;
  if (altKey || ctrlKey || metaKey || document.querySelector('dialog[open], :popover-open')) return null;
  const lecturing = course.lecture.peek() !== null;
  if (key === 'Escape') {
    if (lecturing) return course.endLecture;
    const inside = target instanceof Element && target.closest('.lesson') !== null;
    // Esc also ends an edit.
    return inside || !isText(target) ? course.leave : null;
  }
  if (isText(target) || isSwitchedOff(event)) return null;
  // Grids, players and inputs use the arrow keys themselves, and Space presses a button.
  const users = `[role="grid"], .scrubber, input, select, summary${key === ' ' ? ', button, a' : ''}`;
  const isFree = !(target instanceof Element && target.closest(users));
  // Outside a lecture a grid uses the keys of a presentation remote.
  const pressed = key.toLowerCase();
  const isOf = (letter: string, page: string, ...arrows: readonly string[]) =>
    pressed === letter || (lecturing && (pressed === page || (isFree && arrows.includes(pressed))));
  if (isOf('n', 'pagedown', 'arrowright', ' ')) return lecturing ? course.nextPart : course.next;
  return isOf('b', 'pageup', 'arrowleft') ? course.back : null;
}

/** All lessons and sets of exercises, with the progress in each, and the ways to the rest. */
function Catalogue({ page, context }: SideTabProps) {
  const { lesson: link } = page.look;
  const { done, at } = progress.value;
  const course = courseOf(page);
  const nextLesson = LESSONS.find(({ id }) => !done.includes(id)) ?? LESSONS[0];
  const exercises = useRef<HTMLHeadingElement>(null);
  // A random order of the letters.
  const randomSeed = Math.floor(Math.random() * 100_000);
  /** The dialog for teachers, once it is loaded, and a message in its place. */
  const [shownHomework, showHomework] = useState<typeof import('./exercise/Homework') | null>(null);
  const [said, say] = useState('');
  const openHomework = () =>
    homework.use((loaded) => {
      showHomework(loaded);
      say('');
    }, say);
  const openLesson = (lesson: Lesson) => course.open(lesson, at[lesson.id] ?? 0);
  const open = (study: Study) => {
    link.value = studyText(study);
  };
  const goToExercises = () => {
    exercises.current?.scrollIntoView({ block: 'start' });
    exercises.current?.focus();
  };
  return (
    <>
      <section class="catalogue grid" aria-label="Lessons">
        <h2 class="catalogue__title" tabIndex={-1}>
          {done.length === 0 ? 'Start here' : `${done.length} of ${LESSONS.length} lessons done`}
        </h2>
        {link.value !== null && (
          <p class="soft" role="status">
            This page has no lesson step called “{link.value}”. The link may be from another version of the page.
          </p>
        )}
        {course.ended.value && <End path={course.ended.value} onExercises={goToExercises} />}
        <p class="soft">
          {LESSONS.length} short lessons. Each step asks a question or has one small task. Leave a lesson with ×
          <span class="by-keys"> or Esc</span>, and your own work is back.
        </p>
        {nextLesson && (
          <p>
            <Button kind="primary" onClick={() => openLesson(nextLesson)}>
              {done.length === 0 && at[nextLesson.id] === undefined ? 'Start' : 'Continue'}: {nextLesson.title}
            </Button>
          </p>
        )}
        <p class="wrap">
          <Button onClick={goToExercises}>Exercises</Button>
          <Button onClick={() => openBug(page, { seed: lastSeed() ?? randomSeed, pass: 'backward_data', letter: 0 })}>
            Spot the bug
          </Button>
          <Button onClick={() => open({ kind: 'derivation' })}>Derivation of the formulas</Button>
          <Button onClick={() => perform('class', context)}>For teachers: prepare a link for class</Button>
          <Button onClick={openHomework}>For teachers: homework and marks</Button>
        </p>
        {PATHS.map(({ title, lessons }) => (
          <>
            <h3 class="catalogue__path">
              {title} <span class="catalogue__state">{minutesText(lessons)}</span>
            </h3>
            <ol class="catalogue__list grid tight">
              {lessons.map((lesson) => (
                <Item
                  key={lesson.id}
                  {...lesson}
                  state={`${stateOf(lesson, done, at)} · ${lesson.minutes} min`}
                  onOpen={() => openLesson(lesson)}
                />
              ))}
            </ol>
          </>
        ))}
        <p role="status">{said}</p>
        {shownHomework && <shownHomework.Homework onClose={() => showHomework(null)} />}
      </section>
      <section class="exercise-list grid" aria-label="Exercises">
        <h2 ref={exercises} class="catalogue__title" tabIndex={-1}>
          Exercises
        </h2>
        <p class="soft">
          Work out the hidden value. If you are wrong, you see which mistake gives your answer. The link contains your
          answers: hand it in.
        </p>
        <ul class="catalogue__list grid tight">
          {exerciseSets(page.look.questions.value).map((set) => {
            const work = set.id === OWN_SET ? page.look.written.value : storedWork(persistedWork.value[set.id]);
            const answers = readAnswers(work.answers);
            const answered = answers.list.filter(isAnswered).length;
            const next = answers.list.findIndex((answer) => !isAnswered(answer));
            const first = next < 0 ? Math.min(answers.list.length, set.questions) : next;
            return (
              <Item
                key={set.id}
                {...set}
                state={answered === 0 ? `${set.questions} questions` : `${answered} of ${set.questions} answered`}
                onOpen={() => exerciseSessionOf(page).open(set, first, work)}
              />
            );
          })}
        </ul>
      </section>
    </>
  );
}

const minutesText = (lessons: readonly Lesson[]): string =>
  `${lessons.length} lessons, about ${lessons.reduce((sum, { minutes }) => sum + minutes, 0)} minutes`;

/** After the last lesson of a path: its end, once all lessons up to there are done; until then what is done, and the next lesson. */
function End({ path, onExercises }: { path: Path<Lesson>; onExercises: () => void }) {
  const { title, lessons, ending } = path;
  const isDone = ({ id }: Lesson) => progress.value.done.includes(id);
  const upToHere = PATHS.slice(0, PATHS.indexOf(path) + 1).flatMap((each) => each.lessons);
  const next = upToHere.find((lesson) => !isDone(lesson));
  return (
    <section class="callout grid" aria-label={next ? title : ending.title}>
      {next ? (
        <>
          <h3>
            {title}: {lessons.filter(isDone).length} of {lessons.length} lessons done
          </h3>
          <p>Next: {next.title}. A lesson counts if you do all of its steps.</p>
        </>
      ) : (
        <>
          <h3>{ending.title}</h3>
          <p>{ending.words}</p>
          <p>{ending.next}</p>
          <p>
            <Button onClick={onExercises}>Go to the exercises</Button>
          </p>
        </>
      )}
    </section>
  );
}

interface ItemProps extends Pick<Lesson | ExerciseSet, 'title' | 'sentence'> {
  /** "step 2 of 4" */
  readonly state: string;
  readonly onOpen: () => void;
}

const Item = ({ title, sentence, state, onOpen }: ItemProps) => (
  <li>
    <button type="button" class="catalogue__lesson" onClick={onOpen}>
      <span class="catalogue__name">{title}</span>
      <span class="note">{sentence}</span>
      <span class="catalogue__state">{state}</span>
    </button>
  </li>
);

function stateOf({ id, steps }: Lesson, done: readonly string[], at: Readonly<Record<string, number>>): string {
  const index = at[id];
  if (index !== undefined && index < steps.length) return `step ${index + 1} of ${steps.length}`;
  return done.includes(id) ? '✓ done' : `${steps.length} steps`;
}
