import { batch, computed, effect, signal } from '@preact/signals';
import { type ExerciseRef, exerciseRefOf, exerciseRefText, OWN_SET } from '../../lessons/exercises';
import { type StepRef, stepRefOf, stepRefText } from '../../lessons/lessons';
import type { LinkContent } from '../../link/field';
import { writeLink } from '../../link/write-link';
import type { TeacherQuestion } from '../../look/look';
import { membersOf } from '../../storage/members';
import { removeStored } from '../../storage/remove';
import { readStored, writeStored } from '../../storage/storage';
import { type Page, perPage } from '../page/page';
import { NO_WORK, writeWork } from './exercise/work';
import { type BugRef, bugRefOf, bugRefText } from './spot/bugs';

/** What the lessons tab shows in place of the list of lessons. Links name it in the field `lesson`. */
export type Study =
  | ({ readonly kind: 'lesson' } & StepRef)
  | ({ readonly kind: 'exercise' } & ExerciseRef)
  | ({ readonly kind: 'bug' } & BugRef)
  | { readonly kind: 'derivation' };

const DERIVATION = 'derivation.1';

/** Null for a name that no version of the page wrote, or that this version does not know. */
export function studyOf(text: string | null, own: readonly TeacherQuestion[] = []): Study | null {
  if (text === DERIVATION) return { kind: 'derivation' };
  const step = stepRefOf(text);
  if (step) return { kind: 'lesson', ...step };
  const exercise = exerciseRefOf(text, own);
  if (exercise) return { kind: 'exercise', ...exercise };
  const bug = bugRefOf(text);
  return bug && { kind: 'bug', ...bug };
}

/** The name in a link: "padding.2", "forward-sums.3", "bug-7-dx.3" or "derivation.1". */
export function studyText(study: Study): string {
  if (study.kind === 'lesson') return stepRefText(study.lesson, study.index);
  if (study.kind === 'exercise') return exerciseRefText(study);
  return study.kind === 'bug' ? bugRefText(study) : DERIVATION;
}

/** The problem and view state from before studies of a kind; a link after a reload. */
interface RestorePoint {
  readonly kind: Study['kind'];
  readonly state: LinkContent | string;
}

/** The open study, and the state from before it. */
export const studyStateOf = perPage(createStudyState);

function createStudyState({ store, look, address }: Page) {
  const current = computed(() => studyOf(look.lesson.value, look.questions.value));
  /** A lesson that is opened from an exercise goes back to the exercise, and that to the state before it. */
  let points = readPoints(look.lesson.peek());
  /** A set of exercises, or a step of a lesson, asks for a hidden value: the problem is locked. */
  const [exercise, asking] = [signal(false), signal(false)];
  effect(() => {
    look.exercise.value = exercise.value || asking.value;
  });
  /** True while the earlier state is being opened. */
  let leaving = false;

  const close = () => {
    const here = current.peek();
    // The questions of the link stay, with their answers.
    const isSet = here?.kind === 'exercise' && here.set.id !== OWN_SET;
    if (isSet) writeWork(look, NO_WORK);
    if (isSet || here?.kind === 'lesson') look.hiddenCells.value = [];
    look.lesson.value = null;
    look.lecture.value = null;
  };
  return {
    ...{ current, exercise, asking },
    /** Call before a lesson, a set of exercises or a bug hunt opens `next`, which replaces the problem. */
    enter(next: Study) {
      const here = current.peek()?.kind;
      if (here === undefined || here === 'derivation') points = [];
      const state = { problem: store.problem.peek(), look: look.written.peek() };
      if (here !== next.kind) points = [...points, { kind: next.kind, state }];
      storePoints(points, studyText(next));
    },
    /** Ends the study. All but the derivation give back the state from before it. */
    leave() {
      const here = current.peek();
      if (leaving || !here) return;
      const last = points.findLastIndex(({ kind }) => kind === here.kind);
      const back = points[last]?.state ?? null;
      const end = () => {
        points = points.slice(0, Math.max(last, 0));
        storePoints(points, look.lesson.peek());
        look.side.value = 'lesson';
      };
      if (typeof back === 'string') {
        const name = look.lesson.peek();
        leaving = true;
        void address.open(back).then((isBack) => {
          leaving = false;
          if (!isBack && look.lesson.peek() === name) close();
          end();
        });
        return;
      }
      batch(() => {
        if (back) {
          store.open(back.problem, 'everything');
          look.open(back.look);
        } else close();
        end();
      });
    },
  };
}

const KEY = 'before-lesson';

/** In sessionStorage, so that a reload keeps it, except for what a link omits. `at`: the study that was opened last. */
function storePoints(points: readonly RestorePoint[], at: string | null): void {
  const links = points.map(({ kind, state }) => ({
    kind,
    state: typeof state === 'string' ? state : writeLink(state).hash,
  }));
  if (points.length === 0) removeStored(KEY);
  else writeStored('sessionStorage', KEY, JSON.stringify({ at, points: links }));
}

/** Empty if `at` was opened by a link: then the stored state is not the state from before it. */
function readPoints(at: string | null): readonly RestorePoint[] {
  const stored = membersOf(readStored('sessionStorage', KEY));
  const points: readonly (Partial<RestorePoint> | null)[] = Array.isArray(stored.points) ? stored.points : [];
  if (at === null || stored.at !== at) return [];
  return points.flatMap((point) =>
    point?.kind && typeof point.state === 'string' ? [{ kind: point.kind, state: point.state }] : [],
  );
}
