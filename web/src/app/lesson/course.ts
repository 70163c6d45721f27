import { computed, effect, signal } from '@preact/signals';
import { isReached, type Lesson } from '../../lessons/lesson';
import {
  type Ending,
  endingOf,
  LESSONS,
  linkOf,
  type StepRef,
  solvedLink,
  stepRefOf,
  stepRefText,
} from '../../lessons/lessons';
import { parseLink } from '../../link/parse-link';
import { lockError } from '../../state/edits';
import { type Page, perPage } from '../page/page';
import { ALWAYS, besides } from './besides';
import { persistDone, persistStep } from './progress';
import { studyStateOf } from './study';
import { wrongChoiceOf } from './wrong-choice';

/** The open lesson and its navigation. */
export type Course = ReturnType<typeof createCourse>;

export const courseOf = perPage(createCourse);

/** Opens a step by its name in a link, "padding.2". */
export function openStep(page: Page, name: string): void {
  const stepRef = stepRefOf(name);
  if (stepRef) courseOf(page).open(stepRef.lesson, stepRef.index);
}

const NOTHING: readonly string[] = [];

function createCourse(page: Page) {
  const { store, look, scene, address } = page;
  const study = studyStateOf(page);
  const stepRef = computed(() => (study.current.value?.kind === 'lesson' ? study.current.value : null));
  /** Name of the open step once its task is done. */
  const done = signal<string | null>(null);
  const state = computed(() => {
    const problem = store.problem.value;
    const geometry = store.shown.value?.problem === problem ? (scene.value?.geometry ?? null) : null;
    return { problem, look: look.written.value, geometry };
  });
  const now = computed(() => stepRef.value !== null && isReached(stepRef.value.step, state.value));
  /** Steps that were left without doing the task. */
  const skipped = new Set<string>();
  effect(() => {
    if (!now.value) return;
    done.value = look.lesson.value;
    skipped.delete(look.lesson.value ?? '');
  });
  const reached = computed(() => stepRef.value !== null && (now.value || done.value === look.lesson.value));
  const isAsking = computed(() => typeof stepRef.value?.step.asks === 'string' && !reached.value);
  effect(() => {
    study.asking.value = isAsking.value;
  });
  // What was hidden besides the cell that the step asked for; cells of later steps stay hidden.
  effect(() => {
    const here = stepRef.value;
    if (typeof here?.step.asks !== 'string' || !now.value) return;
    const { masked } = parseLink(solvedLink(here)).look;
    if (look.masked.peek().length > masked.length) look.masked.value = masked;
  });
  /** The state that the step opened with. */
  const opening = computed(() => stepRef.value && parseLink(linkOf(stepRef.value)));
  const wrong = computed(() => {
    const here = stepRef.value;
    return here && opening.value && !reached.value ? wrongChoiceOf(here.step, opening.value, state.value) : null;
  });
  /** The reader asked for all controls, views and tabs. */
  const showsAll = signal(false);
  effect(() => {
    const here = look.side.value === 'lesson' ? stepRef.value : null;
    if (!here) showsAll.value = false;
    look.besides.value = !here ? NOTHING : showsAll.value ? ALWAYS : besides(here);
  });
  /** The end that was reached last; shown above the list of lessons. */
  const ending = signal<Ending | null>(null);

  const go = (hash: string, { lesson, index }: StepRef) => {
    // Folded controls and the lecture view are the reader's choice: a step does not change them.
    const controls = look.controls.peek() === 'folded' ? '&controls=folded' : '';
    const shown = look.lecture.peek();
    void address.open(`${hash}${controls}${shown ? `&lecture=${shown}` : ''}`).then((isOpen) => {
      if (isOpen) persistStep(lesson.id, index);
    });
  };
  const open = (lesson: Lesson, index: number) => {
    const step = lesson.steps[index];
    if (!step) return;
    const opened = { kind: 'lesson', lesson, index, step } as const;
    study.enter(opened);
    done.value = null;
    ending.value = null;
    go(linkOf(opened), opened);
  };
  /** One step back. */
  const back = () => {
    const here = stepRef.peek();
    if (here) open(here.lesson, here.index - 1);
  };
  /** The next step; after the last step the next lesson. The lesson counts as done if no step was skipped. */
  const next = () => {
    const here = stepRef.peek();
    if (!here) return;
    const { lesson, index } = here;
    if (!reached.peek()) skipped.add(stepRefText(lesson, index));
    if (index + 1 < lesson.steps.length) {
      open(lesson, index + 1);
      return;
    }
    if (!lesson.steps.some((_, each) => skipped.has(stepRefText(lesson, each)))) persistDone(lesson.id);
    const end = endingOf(lesson);
    const following = LESSONS[LESSONS.indexOf(lesson) + 1];
    if (following && !end) {
      open(following, 0);
      return;
    }
    study.leave();
    ending.value = end;
  };
  /** Opens the solution of the task; a question without a solution is just done. */
  const show = () => {
    const here = stepRef.peek();
    if (!here) return;
    const { asks, solution } = here.step;
    if (asks !== undefined && typeof asks !== 'string') {
      done.value = look.lesson.peek();
      skipped.delete(look.lesson.peek() ?? '');
    }
    if (typeof asks === 'string' || solution !== undefined) go(solvedLink(here), here);
  };

  return {
    step: stepRef,
    /** The task of the step was done since it was opened. */
    reached,
    /** The task changes a locked setting. */
    blocked: computed(() => {
      const here = stepRef.value;
      // A question locks the problem itself.
      if (!here || isAsking.value || look.locked.value.length === 0) return false;
      return (
        lockError(look.locked.value, parseLink(linkOf(here)).problem, parseLink(solvedLink(here)).problem) !== null
      );
    }),
    /** One line about a choice that is not what the task asks for. */
    wrong,
    ending,
    showsAll,
    ...{ open, back, next, show },
    /** See study.ts. */
    leave: study.leave,
    /** The lecture view is open. */
    lecture: look.lecture,
    startLecture() {
      look.lecture.value = 'words';
    },
    endLecture() {
      look.lecture.value = null;
    },
    /** In a lecture: does the task, then opens the next step. */
    nextPart: () => (reached.peek() ? next() : show()),
  };
}
