import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { isReached } from '../../lessons/goal';
import { LESSONS, laidOver, linkOf, type NamedLesson, type Place, placeOf, placeText } from '../../lessons/lessons';
import type { Linked } from '../../link/field';
import { writeLink } from '../../link/write-link';
import type { Look } from '../../look/look';
import type { Page } from '../page';
import { forgetBefore, keepBefore, keptBefore } from './before';
import { keepDone, keepStep } from './progress';

/** The lesson that is open, and the ways through it. */
export interface Course {
  readonly place: ReadonlySignal<Place | null>;
  /** The reader has done what the step asks for; once done it stays so. */
  readonly reached: ReadonlySignal<boolean>;
  readonly open: (lesson: NamedLesson, index: number) => void;
  /** One step back. */
  readonly back: () => void;
  /** One step on, done or not; from the last one to the list of lessons, and this one counts as read. */
  readonly next: () => void;
  /** Does what the step asks for. */
  readonly show: () => void;
  /** On a projector: what is shown large, the words of a step or the stage; null: no lecture. */
  readonly lecture: Signal<Look['lecture']>;
  /** Ends the lesson and gives back what there was before it. */
  readonly leave: () => void;
}

const courses = new WeakMap<Page, Course>();

/** The one of a page: it is kept while somebody looks at another tab. */
export function courseOf(page: Page): Course {
  const course = courses.get(page) ?? createCourse(page);
  courses.set(page, course);
  return course;
}

/** Opens a step by the name that links have for it, "padding.2". */
export function openStep(page: Page, name: string): void {
  const place = placeOf(name);
  if (place) courseOf(page).open(place.lesson, place.index);
}

function createCourse({ store, look, scene, address }: Page): Course {
  const place = computed(() => placeOf(look.lesson.value));
  /** What the page showed before the lesson, as a link where the page was loaded again since; null: a link began in the middle of one. */
  let before: Linked | string | null = keptBefore(look.lesson.peek());
  /** The step that was done since it was opened. */
  const done = signal<string | null>(null);
  const now = computed(() => {
    const goal = place.value?.step.task?.goal;
    if (!goal) return place.value !== null;
    const problem = store.problem.value;
    const geometry = store.shown.value?.problem === problem ? (scene.value?.geometry ?? null) : null;
    return isReached(goal, { problem, look: look.written.value, geometry });
  });
  effect(() => {
    if (now.value) done.value = look.lesson.value;
  });

  const go = (hash: string, opened: Place) => {
    // How wide the controls stand is the reader's, not the lesson's, and where it is shown too.
    const controls = look.controls.peek() === 'folded' ? '&controls=folded' : '';
    const shown = look.lecture.peek();
    const lecture = shown ? `&lecture=${shown}` : '';
    void address.open(`${hash}${controls}${lecture}`).then((isOpen) => {
      if (isOpen) keepStep(opened.lesson.id, opened.index);
    });
  };
  const open: Course['open'] = (lesson, index) => {
    const opened = placeOf(placeText(lesson, index));
    if (!opened) return;
    if (!place.peek()) before = { problem: store.problem.peek(), look: look.written.peek() };
    if (before !== null)
      keepBefore(typeof before === 'string' ? before : writeLink(before).hash, placeText(lesson, index));
    done.value = null;
    go(linkOf(opened), opened);
  };
  /** What there was before is being opened. */
  let leaving = false;
  const leave = () => {
    if (leaving) return;
    const back = before;
    const here = look.lesson.peek();
    const sheet = look.sheet.peek();
    const left = () => {
      before = null;
      forgetBefore();
      look.side.value = 'lesson';
      // A cell that went lowers the sheet of a narrow page; the list of lessons is in it.
      look.sheet.value = sheet;
    };
    const close = () => {
      look.lesson.value = null;
      look.lecture.value = null;
    };
    if (typeof back === 'string') {
      leaving = true;
      void address.open(back).then((isBack) => {
        leaving = false;
        if (!isBack && look.lesson.peek() === here) close();
        left();
      });
      return;
    }
    batch(() => {
      if (back) {
        store.open(back.problem, 'everything');
        look.open(back.look);
      } else close();
      left();
    });
  };
  const step = (by: 1 | -1) => {
    const here = place.peek();
    if (here) open(here.lesson, here.index + by);
  };

  return {
    place,
    reached: computed(() => place.value !== null && (now.value || done.value === look.lesson.value)),
    open,
    back: () => step(-1),
    next() {
      const here = place.peek();
      if (!here) return;
      if (here.index + 1 < here.lesson.steps.length) {
        step(1);
        return;
      }
      keepDone(here.lesson.id);
      const following = LESSONS[LESSONS.indexOf(here.lesson) + 1];
      if (following) open(following, 0);
      else leave();
    },
    show() {
      const here = place.peek();
      if (here?.step.task) go(laidOver(linkOf(here), here.step.task.solution), here);
    },
    lecture: look.lecture,
    leave,
  };
}
