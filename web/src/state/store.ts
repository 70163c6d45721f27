import { batch, computed, effect, signal } from '@preact/signals';
import { NOWHERE, type Places, type Touched } from '../look/place';
import type { ConvError, ErrorCode } from '../protocol/errors';
import { type CellsAt, cellsIn } from './addressed';
import {
  affordable,
  changedField,
  type Edited,
  editCells,
  editDesc,
  editDySource,
  editFilter,
  editSource,
  withAlgorithm,
  withoutBias,
} from './edits';
import { forgottenFrom, type History, NO_HISTORY, recorded, redone, undone } from './history';
import { openingProblem, type Problem, requestOf } from './problem';
import type { Asked, ComputeAnswer, Draft, EditOptions, Progress, Shown, Store } from './store-types';

/** Failures that say nothing against the problem: it stays, and may be tried again. */
const NOT_THE_PROBLEMS_FAULT: ReadonlySet<ErrorCode> = new Set(['stale', 'module_unavailable', 'internal']);

/** Pause after which the next change of the same slider is an edit of its own, in milliseconds. */
const GESTURE_PAUSE = 1000;

/** The values of dy in a problem, as far as they are known: what the library made of its source in this very problem. */
function dyOf(problem: Problem, picture: Shown | null): Float32Array | null {
  if (problem.dy.kind === 'values') return problem.dy.data;
  return picture?.problem === problem ? (picture.result.tensors.dy?.data ?? null) : null;
}

export interface StoreOptions {
  /** Milliseconds; for tests. */
  readonly now?: () => number;
  /** Where edits are made, for undo. */
  readonly places?: Places;
  /** Why an edit must not be made. What is opened as a whole is none. */
  readonly guard?: (before: Problem, after: Problem) => ConvError | null;
}

export function createStore(
  opened = openingProblem(),
  { now = () => performance.now(), places = NOWHERE, guard = () => null }: StoreOptions = {},
): Store {
  const problem = signal<Problem>(opened);
  const revision = signal(0);
  const shown = signal<Shown | null>(null);
  const progress = signal<Progress>({ status: 'computing' });
  const draft = signal<Draft | null>(null);
  const history = signal<History>(NO_HISTORY);
  /** Changes of cells of a dy that is still being computed. */
  let waitingForDy: (() => void)[] = [];
  let lastAsked: Asked = { field: '', text: '' };
  /** How many were made, and how many openings began. */
  let edits = 0;
  let openings = 0;
  let gesture = { name: '', base: opened, until: Number.NEGATIVE_INFINITY };

  const continues = (name: string | undefined): boolean =>
    name !== undefined && name === gesture.name && now() < gesture.until;

  const show = (next: Problem) => {
    edits += 1;
    problem.value = next;
    draft.value = null;
    revision.value += 1;
  };

  const edit = (edited: Edited, asked: Asked, touched: Touched, name?: string) => {
    const error = 'error' in edited ? edited.error : guard(problem.value, edited.problem);
    if (error) draft.value = { ...asked, error };
    else if ('problem' in edited) make(edited.problem, asked, touched, name);
  };

  const make = (next: Problem, asked: Asked, touched: Touched, name?: string) =>
    batch(() => {
      if (!continues(name)) {
        history.value = recorded(history.value, { problem: problem.value, place: places.here(touched) });
        gesture = { name: name ?? '', base: problem.value, until: 0 };
      }
      gesture.until = now() + GESTURE_PAUSE;
      lastAsked = asked;
      show(next);
    });

  const attempt = (make: () => Edited, asked: Asked, touched: Touched, name?: string) =>
    edit(affordable(make), asked, touched, name);

  const editTo = (next: Problem, field: string, touched: Touched) =>
    edit({ problem: next }, { field, text: '' }, touched);

  const replaceBy = (next: Problem, touched: Touched) => {
    waitingForDy = [];
    make(next, { field: '', text: '' }, touched);
  };

  const travel = (way: typeof undone) =>
    batch(() => {
      const step = way(history.value, problem.value, places.go);
      if (!step) return;
      waitingForDy = [];
      gesture.until = Number.NEGATIVE_INFINITY;
      lastAsked = { field: '', text: '' };
      history.value = step.history;
      show(step.problem);
    });

  /** Back to the problem of the picture; its result still stands, so nothing is computed. */
  const takeBack = ({ problem: valid }: Shown, error: ConvError) => {
    const refused = problem.value;
    history.value = forgottenFrom(history.value, valid);
    gesture.until = Number.NEGATIVE_INFINITY;
    problem.value = valid;
    draft.value = { ...lastAsked, field: lastAsked.field || error.field, refused, error };
    progress.value = { status: 'ready' };
  };

  const fail = (error: ConvError) => {
    shown.value = null;
    progress.value = { status: 'failed', error };
  };

  const settle = (computed: Problem, answer: ComputeAnswer) =>
    batch(() => {
      take(computed, answer);
      const edits = waitingForDy;
      waitingForDy = [];
      if (shown.value) for (const change of edits) change();
    });

  const take = (computed: Problem, answer: ComputeAnswer) => {
    const picture = shown.value;
    if (answer.status === 'done') {
      shown.value = { problem: computed, result: answer.result };
      progress.value = { status: 'ready' };
    } else if (answer.status === 'failed') {
      const { error } = answer;
      if (picture && !NOT_THE_PROBLEMS_FAULT.has(error.code)) takeBack(picture, error);
      else fail(error);
    } else if (answer.why === 'cancelled') {
      if (picture) progress.value = { status: 'stopped' };
      else fail({ code: 'cancelled', field: '', message: 'the computation was stopped' });
    }
  };

  function setCells(cells: CellsAt, value: number, { gesture: name }: EditOptions = {}): void {
    const current = problem.value;
    const dy = cells.tensor === 'dy' ? dyOf(current, shown.value) : null;
    if (cells.tensor === 'dy' && !dy && progress.value.status === 'computing') {
      waitingForDy.push(() => setCells(cells, value, name ? { gesture: name } : {}));
      return;
    }
    const indices = cellsIn(current.desc, cells);
    const [index] = indices;
    const before = cells.tensor === 'dy' ? dy : current[cells.tensor]?.data;
    if (index !== undefined && indices.every((each) => Object.is(before?.[each], Math.fround(value)))) return;
    const touched = index === undefined ? 'values' : { cell: { tensor: cells.tensor, index } };
    const asked = { field: cells.tensor, text: String(value) };
    attempt(() => editCells(current, cells, value, dy), asked, touched, name);
  }

  return {
    problem,
    revision,
    shown,
    progress,
    draft,
    canUndo: computed(() => history.value.past.length > 0),
    canRedo: computed(() => history.value.future.length > 0),

    setDesc(patch, { gesture: name, field, anyway }: EditOptions = {}) {
      const current = problem.value;
      const changed = changedField(current.desc, patch, field);
      // The value that is in force anyway: whatever was refused before has been taken back.
      if (!changed) draft.value = null;
      else {
        const base = continues(name) ? gesture.base : current;
        attempt(() => editDesc(current, base, patch, anyway), { ...changed, patch }, 'sizes', name);
      }
    },
    setCells,
    setSource: (tensor, source) =>
      attempt(() => editSource(problem.value, tensor, source), { field: tensor, text: source.kind }, 'values'),
    removeBias: () => editTo(withoutBias(problem.value), 'b', 'values'),
    setFilter: (name) => attempt(() => editFilter(problem.value, name), { field: 'w', text: name }, 'sizes'),
    setDySource(source, { gesture: name, geometry } = {}) {
      waitingForDy = [];
      edit(editDySource(problem.value, source, geometry), { field: 'dy', text: source.kind }, 'values', name);
    },
    setAlgorithm: (pass, name) => editTo(withAlgorithm(problem.value, pass, name), pass, 'values'),
    releaseAlgorithms() {
      const wanted = draft.value?.refused ?? problem.value;
      editTo({ ...wanted, algorithms: {} }, '', 'values');
    },
    accept: edit,
    open: replaceBy,
    undo: () => travel(undone),
    redo: () => travel(redone),
    begin() {
      openings += 1;
      const [mine, before] = [openings, edits];
      return () => (openings !== mine ? 'opened' : edits !== before ? 'edited' : null);
    },
    dismissDraft() {
      draft.value = null;
    },
    connect(compute) {
      let live = true;
      const stop = effect(() => {
        const asked = revision.value;
        const current = problem.peek();
        progress.value = { status: 'computing' };
        const answered = (answer: ComputeAnswer) => {
          if (live && revision.peek() === asked) settle(current, answer);
        };
        const broke = (cause: unknown) =>
          answered({ status: 'failed', error: { code: 'internal', field: '', message: String(cause) } });
        compute(requestOf(current)).then(answered, broke);
      });
      return () => {
        live = false;
        stop();
      };
    },
    retry() {
      // Whoever asks for it while reading signals does not wait for the next revision.
      revision.value = revision.peek() + 1;
    },
  };
}
