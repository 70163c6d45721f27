import { computed, effect, signal } from '@preact/signals';
import { positionOf } from '../../geometry/grid';
import { cellName, withMinus } from '../../geometry/labels';
import {
  type GoalContext,
  GRADIENTS,
  isReached,
  type Lesson,
  type Pointer,
  type StepData,
  timesRead,
} from '../../lessons/lesson';
import {
  LESSONS,
  linkOf,
  type Path,
  pathEndedBy,
  type StepRef,
  solvedLink,
  stepRefOf,
  stepRefText,
} from '../../lessons/lessons';
import type { LinkContent } from '../../link/field';
import { parseLink } from '../../link/parse-link';
import { HIDEABLE } from '../../look/look';
import { LOSS_KINDS } from '../../losses/list';
import { type Cell, type Geometry, PADDING_MODES } from '../../protocol/problem';
import { PARTS, SIZE_PARTS } from '../../protocol/size-table';
import { singleOf } from '../../sources/loss';
import { lockError } from '../../state/edits';
import { shownLayer } from '../../state/problem';
import { type Page, perPage } from '../page/page';
import { pointersOf } from './pointers';
import { persistDone, persistStep } from './progress';
import { studyStateOf } from './study';

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
  const { store, look, currentContent, address } = page;
  const study = studyStateOf(page);
  const stepRef = computed(() => (study.current.value?.kind === 'lesson' ? study.current.value : null));
  /** Name of the open step once its task is done. */
  const done = signal<string | null>(null);
  const state = computed(() => {
    const problem = store.problem.value;
    const geometry = store.shown.value?.problem === problem ? (currentContent.value?.geometry ?? null) : null;
    return { problem, look: look.written.value, geometry };
  });
  const now = computed(() => stepRef.value !== null && isReached(stepRef.value.step, state.value));
  const finish = () => {
    done.value = look.lesson.peek();
    skipped.delete(look.lesson.peek() ?? '');
  };
  /** Steps that were left without doing the task. */
  const skipped = new Set<string>();
  effect(() => {
    if (now.value && look.lesson.value) finish();
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
    const { hiddenCells } = parseLink(solvedLink(here)).look;
    if (look.hiddenCells.peek().length > hiddenCells.length) look.hiddenCells.value = hiddenCells;
  });
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
    look.partsOutsideLesson.value = !here ? NOTHING : showsAll.value ? ALWAYS : partsOutsideLesson(here);
  });
  /** The last lesson of this path was finished; shown above the list of lessons. */
  const ended = signal<Path<Lesson> | null>(null);

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
    ended.value = null;
    go(linkOf(opened), opened);
  };
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
    const end = pathEndedBy(lesson);
    const following = LESSONS[LESSONS.indexOf(lesson) + 1];
    if (following && !end) {
      open(following, 0);
      return;
    }
    study.leave();
    ended.value = end ?? null;
  };
  /** Opens the solution of the task; a question without a solution is just done. */
  const show = () => {
    const here = stepRef.peek();
    if (!here) return;
    const { asks, solution } = here.step;
    if (asks !== undefined && typeof asks !== 'string') finish();
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
    ended,
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

/**
 * What the reader has chosen in place of what the task asks for, and what to look for; null while nothing was chosen. `opening`: the state
 * that the step opened with.
 */
export function wrongChoiceOf(
  step: StepData,
  opening: LinkContent,
  { problem, look, geometry: g }: GoalContext,
): string | null {
  if (step.asks !== undefined || !step.hint || !g) return null;
  const first = opening.look.pinned;
  // Choosing the cell that is pinned unpins it.
  const chosen = look.pinned ?? first;
  const fact = step.solution?.startsWith('cell=')
    ? chosen && !(look.pinned && isSame(chosen, first)) && factOf(g, chosen)
    : changeOf(g, opening, { problem, look });
  return fact ? `${fact} ${step.hint}` : null;
}

/** The change of the single 1 in dy, of a cell of x, or of the sizes; null: none. */
function changeOf(g: Geometry, before: LinkContent, now: LinkContent): string | null {
  const [old, single] = [singleOf(before.problem.loss), singleOf(now.problem.loss)];
  if (old && single) {
    return single.index === old.index ? null : `The 1 is now in ${cellName(g, { tensor: 'dy', index: single.index })}.`;
  }
  const [x, { data }] = [before.problem.x.data, now.problem.x];
  const edited = x.length === data.length ? data.findIndex((value, i) => value !== x[i]) : -1;
  if (edited >= 0) return `You changed ${cellName(g, { tensor: 'x', index: edited })}.`;
  const descOf = ({ problem, look }: LinkContent) => JSON.stringify(shownLayer(problem, look.layer).desc);
  return descOf(now) === descOf(before) ? null : `y is now ${g.oh} × ${g.ow}.`;
}

const isSame = (a: Cell, b: Cell | null): boolean => a.tensor === b?.tensor && a.index === b.index;

/** "x[2,2] is read by 9 windows." */
function factOf(g: Geometry, cell: Cell): string {
  const { row, col } = positionOf(g, cell);
  const name = cellName(g, cell);
  const times = timesRead(g, cell);
  if (times !== null) return `${name} is read by ${times || 'no'} window${times > 1 ? 's' : ''}.`;
  /** The cell of x under a weight, at a position of the window. */
  const under = (i: number, j: number, p: number, q: number) => {
    const at = [i * g.stride_h + p * g.dilation_h - g.padding.top, j * g.stride_w + q * g.dilation_w - g.padding.left];
    return `x[${at.map(withMinus).join(',')}]`;
  };
  if (cell.tensor === 'y' || cell.tensor === 'dy') return `The window of ${name} begins at ${under(row, col, 0, 0)}.`;
  if (cell.tensor !== 'w' && cell.tensor !== 'dw') return `You chose ${name}.`;
  const last = under(g.oh - 1, g.ow - 1, row, col);
  return `${name} multiplies ${under(0, 0, row, col)} at the first position and ${last} at the last.`;
}

/** Parts that stay in every step. `hide` also reveals a hidden value. */
const STAYS: readonly string[] = ['side.lesson', 'undo', 'redo', 'copy-link', 'hide'];

/** Put aside in every lesson: the way to the lessons. */
const ALWAYS: readonly string[] = ['lessons'];

/**
 * The parts of the page that a step does not speak of: other views, tabs, settings and commands by their names in links, and gradients.
 * 'backward': the whole backward pass, with the loss; 'player' and 'choices': of the view.
 */
export function partsOutsideLesson({ lesson, step }: StepRef): readonly string[] {
  const named = pointersOf(step).flatMap(partsAt);
  const hasControls = named.some((part) => !part.startsWith('mode.'));
  const stays = [...STAYS, ...named, ...(hasControls ? ['controls'] : [])];
  const aside = gradientsBeside(lesson, step);
  return [
    ...HIDEABLE.filter((part) => !stays.includes(part)),
    ...aside,
    ...(hasPlayer(step, aside.includes('backward')) ? [] : ['player']),
    ...(CHOICES.has(modeOf(step)) ? [] : ['choices']),
  ];
}

const modeOf = ({ link }: StepData): string => /&mode=([\w-]+)/.exec(link)?.[1] ?? 'board';

/** The choices of these views say what the picture shows. */
const CHOICES: ReadonlySet<string> = new Set(['learn', 'gradient-check']);

/** The tensor that the player of a view computes. */
const PLAYED: Readonly<Record<string, string>> = { board: 'y', dx: 'dx', dw: 'dw', lowering: 'dx' };

/** The player belongs to a step if it does the task, or computes the tensor of the cell that the step asks for or wants chosen. */
function hasPlayer(step: StepData, isForward: boolean): boolean {
  const { asks, solution = '' } = step;
  const mode = modeOf(step);
  if (mode === 'learn' || /\.(t|rows)=\d/.test(solution)) return true;
  const cell = asks ?? /^cell=(.*)/.exec(solution)?.[1];
  return typeof cell === 'string' && cell.split('.')[0] === PLAYED[mode] && (mode !== 'board' || isForward);
}

const hasLoss = (link: string): boolean => LOSS_KINDS.some((kind) => link.includes(`&dy=${kind}`));

function gradientsBeside(lesson: Lesson, { gradients = lesson.gradients, link }: StepData): readonly string[] {
  const away = GRADIENTS.filter((name) => !gradients.includes(name));
  return gradients.length === 0 && !hasLoss(link) ? ['backward', ...away] : away;
}

function partsAt(pointer: Pointer): readonly string[] {
  const [kind, name = ''] = pointer.split(':');
  if (kind === 'tab') return [`mode.${name}`];
  if (kind === 'field') return SIZE_PARTS.filter((part) => name in PARTS[part].sizes);
  if (kind === 'controls') return name === 'w' ? ['values.w', 'values.b'] : [`values.${name}`];
  return kind === 'option' && PADDING_MODES.some((mode) => mode === name) ? ['padding'] : [];
}
