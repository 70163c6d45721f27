import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { isReached } from '../../lessons/goal';
import { LESSONS, linkOf, type NamedLesson, type StepRef, stepRefOf, withFields } from '../../lessons/lessons';
import { parseLink } from '../../link/parse-link';
import type { Look } from '../../look/look';
import { lockError } from '../../state/edits';
import { type Page, perPage } from '../page/page';
import { persistDone, persistStep } from './progress';
import { studyStateOf, studyText } from './study';

/** The open lesson and its navigation. */
export interface Course {
  readonly step: ReadonlySignal<StepRef | null>;
  /** The task of the step was done since it was opened. */
  readonly reached: ReadonlySignal<boolean>;
  readonly open: (lesson: NamedLesson, index: number) => void;
  /** The task changes a locked setting. */
  readonly blocked: ReadonlySignal<boolean>;
  /** One step back. */
  readonly back: () => void;
  /** The next step; after the last step the next lesson. The lesson counts as done if no step was skipped. */
  readonly next: () => void;
  /** Opens the solution of the task. */
  readonly show: () => void;
  /** In a lecture: shows the text of a step or the view; null: no lecture. */
  readonly lecture: Signal<Look['lecture']>;
  /** See StudyState. */
  readonly leave: () => void;
}

export const courseOf = perPage(createCourse);

/** Opens a step by its name in a link, "padding.2". */
export function openStep(page: Page, name: string): void {
  const stepRef = stepRefOf(name);
  if (stepRef) courseOf(page).open(stepRef.lesson, stepRef.index);
}

function createCourse(page: Page): Course {
  const { store, look, scene, address } = page;
  const study = studyStateOf(page);
  const stepRef = computed(() => (study.current.value?.kind === 'lesson' ? study.current.value : null));
  /** Name of the open step once its task is done. */
  const done = signal<string | null>(null);
  const now = computed(() => {
    const goal = stepRef.value?.step.task?.goal;
    if (!goal) return stepRef.value !== null;
    const problem = store.problem.value;
    const geometry = store.shown.value?.problem === problem ? (scene.value?.geometry ?? null) : null;
    return isReached(goal, { problem, look: look.written.value, geometry });
  });
  /** Steps that were left without doing the task. */
  const skipped = new Set<string>();
  effect(() => {
    if (!now.value) return;
    done.value = look.lesson.value;
    skipped.delete(look.lesson.value ?? '');
  });
  const reached = computed(() => stepRef.value !== null && (now.value || done.value === look.lesson.value));

  const go = (hash: string, opened: StepRef) => {
    // Folded controls and the lecture view are the reader's choice: a step does not change them.
    const controls = look.controls.peek() === 'folded' ? '&controls=folded' : '';
    const shown = look.lecture.peek();
    const lecture = shown ? `&lecture=${shown}` : '';
    void address.open(`${hash}${controls}${lecture}`).then((isOpen) => {
      if (isOpen) persistStep(opened.lesson.id, opened.index);
    });
  };
  const open: Course['open'] = (lesson, index) => {
    const step = lesson.steps[index];
    if (!step) return;
    const opened = { kind: 'lesson', lesson, index, step } as const;
    study.enter(opened);
    done.value = null;
    go(linkOf(opened), opened);
  };
  const step = (by: 1 | -1) => {
    const here = stepRef.peek();
    if (here) open(here.lesson, here.index + by);
  };

  return {
    step: stepRef,
    reached,
    blocked: computed(() => {
      const here = stepRef.value;
      if (!here?.step.task || look.locked.value.length === 0) return false;
      const { problem } = parseLink(withFields(linkOf(here), here.step.task.solution));
      return lockError(look.locked.value, parseLink(linkOf(here)).problem, problem) !== null;
    }),
    open,
    back: () => step(-1),
    next() {
      const here = stepRef.peek();
      if (!here) return;
      if (!reached.peek()) skipped.add(studyText(here));
      if (here.index + 1 < here.lesson.steps.length) {
        step(1);
        return;
      }
      const { lesson } = here;
      if (!lesson.steps.some((step, index) => skipped.has(studyText({ ...here, index, step })))) persistDone(lesson.id);
      const following = LESSONS[LESSONS.indexOf(here.lesson) + 1];
      if (following) open(following, 0);
      else study.leave();
    },
    show() {
      const here = stepRef.peek();
      if (here?.step.task) go(withFields(linkOf(here), here.step.task.solution), here);
    },
    lecture: look.lecture,
    leave: study.leave,
  };
}
