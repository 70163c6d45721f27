import { batch, computed, effect, signal } from '@preact/signals';
import { type LookSnapshots, NO_SNAPSHOTS, type Touched } from '../look/look';
import type { ComputeResult, Outcome } from '../protocol/messages';
import type { ConvError, ErrorCode } from '../protocol/problem';
import {
  type AddressedCells,
  catchOutOfMemory,
  cellsIn,
  changedField,
  type EditResult,
  editCells,
  editDesc,
  editDySource,
  editFilter,
  editSource,
  withAlgorithm,
} from './edits';
import {
  type History,
  NO_HISTORY,
  openingProblem,
  type Problem,
  recorded,
  redone,
  requestOf,
  type Shown,
  shownOf,
  undone,
  withoutStepsFrom,
} from './problem';
import type { Draft, EditOptions, EditOrigin, Progress, Store } from './store-types';

/** Failures that do not depend on the problem: it stays and can be computed again. */
const RETRYABLE: ReadonlySet<ErrorCode> = new Set(['stale', 'module_unavailable', 'internal']);

/** Time in ms after which the next change of the same slider is a new undo step. */
const GESTURE_PAUSE = 1000;

/** The values of dy in a problem, if known: the library computes them from the source of dy. */
function dyOf(problem: Problem, image: Shown | null): Float32Array | null {
  if (problem.dy.kind === 'values') return problem.dy.data;
  return image?.problem === problem ? (image.tensors.dy?.data ?? null) : null;
}

export interface StoreOptions {
  /** Milliseconds; for tests. */
  readonly now?: () => number;
  /** Saves and restores the look of edits. */
  readonly snapshots?: LookSnapshots;
  /** Returns an error for an edit that is not allowed. Not called for a problem that is opened as a whole. */
  readonly guard?: (before: Problem, after: Problem) => ConvError | null;
}

export function createStore(
  opened = openingProblem(),
  { now = () => performance.now(), snapshots = NO_SNAPSHOTS, guard = () => null }: StoreOptions = {},
): Store {
  const problem = signal<Problem>(opened);
  const revision = signal(0);
  const shown = signal<Shown | null>(null);
  const progress = signal<Progress>({ status: 'computing' });
  const draft = signal<Draft | null>(null);
  const history = signal<History>(NO_HISTORY);
  /** Edits of cells of dy, deferred until dy is computed. */
  let waitingForDy: (() => void)[] = [];
  let lastAsked: EditOrigin = { field: '', text: '' };
  /** Only results of later revisions are shown: not older than the last one shown, nor than the last opening. */
  let newerThan = -1;
  /** Counts of edits and of started openings. */
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

  /** Undo and redo leave the 1 of dy under the pointer. */
  const asPointed = (next: Problem): Problem => {
    const { desc, dy } = problem.value;
    return dy.kind === 'pointed' && next.dy.kind === dy.kind && next.desc === desc ? { ...next, dy } : next;
  };

  const edit = (edited: EditResult, asked: EditOrigin, touched: Touched, name?: string) => {
    const error = 'error' in edited ? edited.error : guard(problem.value, edited.problem);
    if (error) draft.value = { ...asked, error };
    else if ('problem' in edited) make(edited.problem, asked, touched, name);
  };

  const make = (next: Problem, asked: EditOrigin, touched: Touched, name?: string) =>
    batch(() => {
      if (!continues(name)) {
        history.value = recorded(history.value, { problem: problem.value, target: snapshots.save(touched) });
        gesture = { name: name ?? '', base: problem.value, until: 0 };
      }
      gesture.until = now() + GESTURE_PAUSE;
      lastAsked = asked;
      show(next);
    });

  const attempt = (make: () => EditResult, asked: EditOrigin, touched: Touched, name?: string) =>
    edit(catchOutOfMemory(make), asked, touched, name);

  const editTo = (next: Problem, field: string, touched: Touched) =>
    edit({ problem: next }, { field, text: '' }, touched);

  const replaceBy = (next: Problem, touched: Touched) => {
    waitingForDy = [];
    newerThan = revision.peek();
    make(next, { field: '', text: '' }, touched);
  };

  const travel = (way: typeof undone) =>
    batch(() => {
      const step = way(history.value, problem.value, snapshots.restore);
      if (!step) return;
      waitingForDy = [];
      newerThan = revision.peek();
      gesture.until = Number.NEGATIVE_INFINITY;
      lastAsked = { field: '', text: '' };
      history.value = step.history;
      show(asPointed(step.problem));
    });

  /** Reverts to the problem of the shown result, so nothing is computed. */
  const revert = ({ problem: valid }: Shown, error: ConvError) => {
    const refused = problem.value;
    history.value = withoutStepsFrom(history.value, valid);
    gesture.until = Number.NEGATIVE_INFINITY;
    problem.value = valid;
    draft.value = { ...lastAsked, field: lastAsked.field || error.field, refused, error };
    progress.value = { status: 'ready' };
  };

  const fail = (error: ConvError) => {
    shown.value = null;
    progress.value = { status: 'failed', error };
  };

  const settle = (asked: number, computed: Problem, answer: Outcome<ComputeResult>) =>
    batch(() => {
      newerThan = asked;
      take(computed, answer);
      const edits = waitingForDy;
      waitingForDy = [];
      if (shown.value) for (const change of edits) change();
    });

  /**
   * Shows the result of a superseded edit with its own inputs, so that the page moves during a drag. Not if it hides
   * values: hidden cells are addressed by the newest sizes.
   */
  const showPassing = (asked: number, computed: Problem, result: ComputeResult) => {
    if (asked <= newerThan || result.hides) return;
    newerThan = asked;
    shown.value = shownOf(computed, result, shown.value);
  };

  const take = (computed: Problem, answer: Outcome<ComputeResult>) => {
    const image = shown.value;
    if (answer.status === 'done') {
      shown.value = shownOf(computed, answer.result, image);
      progress.value = { status: 'ready' };
    } else if (answer.status === 'failed') {
      const { error } = answer;
      if (image && !RETRYABLE.has(error.code)) revert(image, error);
      else fail(error);
    } else if (answer.why === 'cancelled') {
      if (image) progress.value = { status: 'stopped' };
      else fail({ code: 'cancelled', field: '', message: 'the computation was stopped' });
    }
  };

  function setCells(cells: AddressedCells, value: number, { gesture: name }: EditOptions = {}): void {
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
      // Same value as now: discards an earlier rejected edit.
      if (!changed) draft.value = null;
      else {
        const base = continues(name) ? gesture.base : current;
        attempt(() => editDesc(current, base, patch, anyway), { ...changed, patch }, 'sizes', name);
      }
    },
    setCells,
    setSource: (tensor, source) =>
      attempt(() => editSource(problem.value, tensor, source), { field: tensor, text: source.kind }, 'values'),
    removeBias: () => editTo({ ...problem.value, b: null }, 'b', 'values'),
    setFilter: (name) => attempt(() => editFilter(problem.value, name), { field: 'w', text: name }, 'sizes'),
    setDySource(source, { gesture: name, geometry } = {}) {
      waitingForDy = [];
      edit(editDySource(problem.value, source, geometry), { field: 'dy', text: source.kind }, 'values', name);
    },
    pointDy(index, geometry) {
      const current = problem.value;
      if (current.dy.kind !== 'pointed' || current.dy.index === index || current.network?.fixed.dy) return;
      const edited = editDySource(current, { kind: 'pointed', index }, geometry);
      if ('error' in edited || guard(current, edited.problem)) return;
      batch(() => {
        problem.value = edited.problem;
        revision.value += 1;
      });
    },
    setAlgorithm: (pass, name) => editTo(withAlgorithm(problem.value, pass, name), pass, 'values'),
    clearAlgorithms() {
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
    connect(compute, showsPassing = () => true) {
      let live = true;
      const stop = effect(() => {
        const asked = revision.value;
        const current = problem.peek();
        progress.value = { status: 'computing' };
        const answered = (answer: Outcome<ComputeResult>) => {
          if (!live) return;
          if (revision.peek() === asked) settle(asked, current, answer);
          else if (answer.status === 'done' && showsPassing()) showPassing(asked, current, answer.result);
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
      newerThan = revision.peek();
      // Not read with `.value`: an effect that calls this must not subscribe to the revision.
      revision.value = revision.peek() + 1;
    },
  };
}
