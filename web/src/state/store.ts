import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { type LookSnapshots, NO_SNAPSHOTS, type Touched } from '../look/look';
import type { ComputeRequest, ComputeResult, Outcome } from '../protocol/messages';
import type { ConvDesc, ConvError, ErrorCode, Geometry, Pass } from '../protocol/problem';
import type { DySource } from '../sources/dy-sources';
import type { FilterName } from '../sources/generators';
import type { TensorSource } from '../sources/tensor-sources';
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
import { openIn, requestOf, type Shown, shownOf } from './exchange';
import {
  endOf,
  type History,
  inputOf,
  NO_HISTORY,
  openingProblem,
  openOf,
  type Problem,
  recorded,
  redone,
  undone,
  withOpenLayer,
  withoutStepsFrom,
} from './problem';

export type Progress =
  | { readonly status: 'computing' }
  | { readonly status: 'ready' }
  /** The user stopped the computation: the problem stays, the result is still that of the previous one. */
  | { readonly status: 'stopped' }
  /** No result: the page shows the error instead. */
  | { readonly status: 'failed'; readonly error: ConvError };

/** A rejected edit, shown at its control; the last valid problem stays. */
export interface Draft extends EditOrigin {
  /** The problem that the library rejected and the store reverted. */
  readonly refused?: Problem;
  readonly error: ConvError;
}

/** The control of an edit and the requested value. */
export interface EditOrigin {
  /** A field of ConvDesc ("stride_h", "padding.top") or a tensor. The `error.field` of a draft is the field with the error. */
  readonly field: string;
  readonly text: string;
  /** The change of sizes. A `costly` one can be repeated with `anyway`. */
  readonly patch?: Partial<ConvDesc>;
}

/** Quick successive edits with the same gesture (the name of a slider) are one undo step. */
export interface EditOptions {
  readonly gesture?: string;
  /** The control of the edit, for a draft; default: the first changed field. */
  readonly field?: string;
  /** Without a limit on the cost. */
  readonly anyway?: boolean;
}

export type Compute = (request: ComputeRequest) => Promise<Outcome<ComputeResult>>;

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

export type Store = ReturnType<typeof createStore>;

/** The problem, its result and its history: the single source of truth. */
export function createStore(
  opened = openingProblem(),
  { now = () => performance.now(), snapshots = NO_SNAPSHOTS, guard = () => null }: StoreOptions = {},
) {
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
    const { dy } = problem.value;
    const isSame = endOf(next).every((size, i) => size === endOf(problem.value)[i]);
    return dy.kind === 'pointed' && next.dy.kind === dy.kind && isSame ? { ...next, dy } : next;
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

  /** Before another problem or layer is shown: edits and results of the one before do not reach it. */
  const stopEditing = () => {
    waitingForDy = [];
    newerThan = revision.peek();
    gesture.until = Number.NEGATIVE_INFINITY;
  };

  const travel = (way: typeof undone) =>
    batch(() => {
      const step = way(history.value, problem.value, snapshots.restore);
      if (!step) return;
      stopEditing();
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
    const indices = cellsIn(openOf(current).desc, cells);
    const [index] = indices;
    const before = cells.tensor === 'dy' ? dy : inputOf(current, cells.tensor)?.data;
    if (index !== undefined && indices.every((each) => Object.is(before?.[each], Math.fround(value)))) return;
    const touched = index === undefined ? 'values' : { cell: { tensor: cells.tensor, index } };
    const asked = { field: cells.tensor, text: String(value) };
    attempt(() => editCells(current, cells, value, dy), asked, touched, name);
  }

  return {
    /** The last accepted problem, as shown in the controls. */
    problem: problem as ReadonlySignal<Problem>,
    /** Grows with each requested computation. */
    revision: revision as ReadonlySignal<number>,
    /** The newest inputs with their result, also while the next one is computed; null before the first and after a failure. */
    shown: shown as ReadonlySignal<Shown | null>,
    progress: progress as ReadonlySignal<Progress>,
    draft: draft as ReadonlySignal<Draft | null>,
    canUndo: computed(() => history.value.past.length > 0),
    canRedo: computed(() => history.value.future.length > 0),

    setDesc(patch: Partial<ConvDesc>, { gesture: name, field, anyway }: EditOptions = {}): void {
      const current = problem.value;
      const changed = changedField(openOf(current).desc, patch, field);
      // Same value as now: discards an earlier rejected edit.
      if (!changed) draft.value = null;
      else {
        const base = continues(name) ? gesture.base : current;
        attempt(() => editDesc(current, base, patch, anyway), { ...changed, patch }, 'sizes', name);
      }
    },
    /**
     * Sets cells of x, w, b or dy to a value, rounded to float32. Cells are found by their position in the result in
     * which they were selected. If dy is still being computed, its cells are changed afterwards.
     */
    setCells,
    setSource: (tensor: 'x' | 'w' | 'b', source: TensorSource): void =>
      attempt(() => editSource(problem.value, tensor, source), { field: tensor, text: source.kind }, 'values'),
    removeBias: (): void => editTo(withOpenLayer(problem.value, { b: null }), 'b', 'values'),
    setFilter: (name: FilterName): void =>
      attempt(() => editFilter(problem.value, name), { field: 'w', text: name }, 'sizes'),
    /** `geometry`: that of the result in which the source was chosen, if it names cells. */
    setDySource(
      source: DySource,
      { gesture: name, geometry }: EditOptions & { readonly geometry?: Geometry } = {},
    ): void {
      waitingForDy = [];
      edit(editDySource(problem.value, source, geometry), { field: 'dy', text: source.kind }, 'values', name);
    },
    /**
     * Moves the 1 of a dy that follows the pointer; no effect on other sources. Like the pointer itself, it is not an edit: undo
     * has no step for it, and an opening does not yield to it. `geometry`: that of the result that was pointed at.
     */
    pointDy(index: number, geometry: Geometry): void {
      const current = problem.value;
      if (current.dy.kind !== 'pointed' || current.dy.index === index || openOf(current).fixed.dy) return;
      const edited = editDySource(current, { kind: 'pointed', index }, geometry);
      if ('error' in edited || guard(current, edited.problem)) return;
      batch(() => {
        problem.value = edited.problem;
        revision.value += 1;
      });
    },
    /** Forces an algorithm by name; null: the library plans. */
    setAlgorithm: (pass: Pass, name: string | null): void =>
      editTo(withAlgorithm(problem.value, pass, name), pass, 'values'),
    /** Removes all forced algorithms, also from a problem that was rejected because of one, and computes it. */
    clearAlgorithms(): void {
      const wanted = draft.value?.refused ?? problem.value;
      editTo(withOpenLayer(wanted, { algorithms: {} }), '', 'values');
    },
    /** Applies an edit of a module that is loaded later, with its control. */
    accept: edit,
    /** Replaces the problem; `touched`: whether undo restores the whole look. */
    open(next: Problem, touched: 'sizes' | 'everything'): void {
      stopEditing();
      make(next, { field: '', text: '' }, touched);
    },
    /** Shows another layer of the problem. That is no edit: undo has no step for it, and returns to the layer of an edit. */
    showLayer(open: number): void {
      const current = problem.value;
      const image = shown.value;
      const opened = (of: Problem): Problem => (of.layers[open]?.kind === 'conv' ? { ...of, open } : of);
      const next = opened(current);
      if (next === current) return;
      batch(() => {
        stopEditing();
        problem.value = next;
        draft.value = null;
        // Nothing is computed: the result has all layers.
        if (image) shown.value = openIn(image.problem === current ? next : opened(image.problem), image);
      });
    },
    undo: (): void => travel(undone),
    redo: (): void => travel(redone),
    /** Starts an asynchronous opening. The returned function says whether an edit or another opening came in the meantime. */
    begin(): () => 'edited' | 'opened' | null {
      openings += 1;
      const [mine, before] = [openings, edits];
      return () => (openings !== mine ? 'opened' : edits !== before ? 'edited' : null);
    },
    /** Discards the rejected edit, for example when its control loses the focus. */
    dismissDraft(): void {
      draft.value = null;
    },
    /**
     * Starts computing; the returned function stops it. A problem that the library rejects is reverted, and its error
     * becomes the draft. A problem stays if the user cancels its computation. `showsPassing`: whether to show results of
     * superseded edits, with their own inputs, until the newest result is there.
     */
    connect(compute: Compute, showsPassing: () => boolean = () => true): () => void {
      let live = true;
      const stop = effect(() => {
        const asked = revision.value;
        const current = problem.peek();
        progress.value = { status: 'computing' };
        const answered = (answer: Outcome<ComputeResult>) => {
          if (!live) return;
          // Another layer of the same problem may be shown by now.
          if (revision.peek() === asked) settle(asked, problem.peek(), answer);
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
    /** Computes the current problem again, after a failure or a stop. */
    retry(): void {
      newerThan = revision.peek();
      // Not read with `.value`: an effect that calls this must not subscribe to the revision.
      revision.value = revision.peek() + 1;
    },
  };
}
