import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Touched } from '../look/look';
import { createLook, type LookStore } from '../look/look-store';
import type { ComputeRequest, ComputeResult, LayerContent, Outcome } from '../protocol/messages';
import type { ConvDesc, ConvError, ErrorCode, Geometry, Pass } from '../protocol/problem';
import type { FilterName } from '../sources/generators';
import { followsPointer, given, type Loss, singleOf, wordOf } from '../sources/loss';
import type { TensorSource } from '../sources/tensor-sources';
import {
  type AddressedCells,
  catchOutOfMemory,
  cellsIn,
  changedField,
  type EditResult,
  editCells,
  editDesc,
  editFilter,
  editLoss,
  editSource,
  withAlgorithm,
} from './edits';
import { type ProblemResult, requestOf, resultOf, type Shown } from './exchange';
import {
  endOf,
  type History,
  NO_HISTORY,
  openingProblem,
  type Problem,
  recorded,
  redone,
  shownIndex,
  shownLayer,
  undone,
  withConv,
  withoutStepsFrom,
} from './problem';

type Progress =
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

/** The values of dy in a problem, if known: the library computes them from the loss. */
function dyOf(problem: Problem, result: ProblemResult | null): Float32Array | null {
  const { loss } = problem;
  if (loss.kind === 'given' && 'data' in loss.dy) return loss.dy.data;
  return result?.problem === problem ? (result.layers.at(-1)?.tensors.dy?.data ?? null) : null;
}

export interface StoreOptions {
  /** Milliseconds; for tests. */
  readonly now?: () => number;
  /** What is shown where edits are made, and restored with them. */
  readonly look?: LookStore;
  /** Returns an error for an edit that is not allowed. Not called for a problem that is opened as a whole. */
  readonly guard?: (before: Problem, after: Problem) => ConvError | null;
}

export type Store = ReturnType<typeof createStore>;

/** The numbers of layers before and after an edit. layer-edits.ts, which is loaded with the first network, sets it. */
export const layerNumbers: {
  code: {
    readonly indexAfter: (before: Problem, after: Problem, index: number) => number;
    readonly follow: (look: LookStore, before: Problem, after: Problem, shown: number, isTravel: boolean) => void;
  } | null;
} = { code: null };

/** Says whether an edit or another opening came in the meantime. */
export type Later = () => 'edited' | 'opened' | null;

/** The problem, its result and its history: the single source of truth. */
export function createStore(
  opened = openingProblem(),
  { now = () => performance.now(), look = createLook(() => null), guard = () => null }: StoreOptions = {},
) {
  const problem = signal<Problem>(opened);
  const revision = signal(0);
  /** The layer that the views show: edits of w, b, sizes and algorithms change it. */
  const layer = computed(() => shownLayer(problem.value, look.layer.value));
  const at = () => layer.value.index;
  const result = signal<ProblemResult | null>(null);
  /** The number of that layer in the result, which may be of a problem with other layers. */
  const drawn = computed(() => {
    const of = result.value?.problem;
    return of ? shownIndex(of, layerNumbers.code?.indexAfter(problem.value, of, at()) ?? at()) : 0;
  });
  const shown = computed((): Shown | null => {
    const all = result.value;
    return all && { ...(all.layers[drawn.value] as LayerContent), ...all };
  });
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
  const since = (): Later => {
    const [mine, before] = [openings, edits];
    return () => (openings !== mine ? 'opened' : edits !== before ? 'edited' : null);
  };
  let gesture = { name: '', layer: 0, base: opened, until: Number.NEGATIVE_INFINITY };

  const continues = (name: string | undefined): boolean =>
    name !== undefined && name === gesture.name && gesture.layer === at() && now() < gesture.until;

  /** Before `next` becomes the problem: the look has the numbers of its layers. Undo and redo show the layer that they change. */
  const follow = (next: Problem, isTravel = false) =>
    layerNumbers.code?.follow(look, problem.peek(), next, at(), isTravel);

  const show = (next: Problem) => {
    edits += 1;
    problem.value = next;
    draft.value = null;
    revision.value += 1;
  };

  /** Undo and redo leave the 1 of dy under the pointer. */
  const asPointed = (next: Problem): Problem => {
    const { loss } = problem.value;
    const isSame = endOf(next).every((size, i) => size === endOf(problem.value)[i]);
    return followsPointer(loss) && followsPointer(next.loss) && isSame ? { ...next, loss } : next;
  };

  const edit = (edited: EditResult, asked: EditOrigin, touched: Touched, name?: string) => {
    const error = 'error' in edited ? edited.error : guard(problem.value, edited.problem);
    if (error) draft.value = { ...asked, error };
    else if ('problem' in edited) make(edited.problem, asked, touched, name);
  };

  const make = (next: Problem, asked: EditOrigin, touched: Touched, name?: string) =>
    batch(() => {
      if (!continues(name)) {
        history.value = recorded(history.value, { problem: problem.value, target: look.save(touched) });
        gesture = { name: name ?? '', layer: at(), base: problem.value, until: 0 };
      }
      gesture.until = now() + GESTURE_PAUSE;
      lastAsked = asked;
      follow(next);
      show(next);
    });

  const attempt = (make: () => EditResult, asked: EditOrigin, touched: Touched, name?: string) =>
    edit(catchOutOfMemory(make), asked, touched, name);

  const editTo = (next: Problem, field: string, touched: Touched) =>
    edit({ problem: next }, { field, text: '' }, touched);

  /** Before another problem is shown: edits and results of the one before do not reach it. */
  const stopEditing = () => {
    waitingForDy = [];
    newerThan = revision.peek();
    gesture.until = Number.NEGATIVE_INFINITY;
  };

  const travel = (way: typeof undone) =>
    batch(() => {
      const step = way(history.value, problem.value, ({ problem: next, target }) => {
        follow(next, true);
        return look.restore(target);
      });
      if (!step) return;
      stopEditing();
      lastAsked = { field: '', text: '' };
      history.value = step.history;
      show(asPointed(step.problem));
    });

  /** Reverts to the problem of the shown result, so nothing is computed. */
  const revert = ({ problem: valid }: ProblemResult, error: ConvError) => {
    const refused = problem.value;
    follow(valid);
    history.value = withoutStepsFrom(history.value, valid);
    gesture.until = Number.NEGATIVE_INFINITY;
    problem.value = valid;
    draft.value = { ...lastAsked, field: lastAsked.field || error.field, refused, error };
    progress.value = { status: 'ready' };
  };

  const fail = (error: ConvError) => {
    result.value = null;
    progress.value = { status: 'failed', error };
  };

  const settle = (asked: number, computed: Problem, answer: Outcome<ComputeResult>) =>
    batch(() => {
      newerThan = asked;
      take(computed, answer);
      const edits = waitingForDy;
      waitingForDy = [];
      if (result.value) for (const change of edits) change();
    });

  /**
   * Shows the result of a superseded edit with its own inputs, so that the page moves during a drag. Not if it hides
   * values: hidden cells are addressed by the newest sizes.
   */
  const showPassing = (asked: number, computed: Problem, answer: ComputeResult) => {
    if (asked <= newerThan || answer.hides) return;
    newerThan = asked;
    result.value = resultOf(computed, answer, result.value);
  };

  const take = (computed: Problem, answer: Outcome<ComputeResult>) => {
    const last = result.value;
    if (answer.status === 'done') {
      result.value = resultOf(computed, answer.result, last);
      progress.value = { status: 'ready' };
    } else if (answer.status === 'failed') {
      const { error } = answer;
      if (last && !RETRYABLE.has(error.code)) revert(last, error);
      else fail(error);
    } else if (answer.why === 'cancelled') {
      if (last) progress.value = { status: 'stopped' };
      else fail({ code: 'cancelled', field: '', message: 'the computation was stopped' });
    }
  };

  function setCells(cells: AddressedCells, value: number, { gesture: name }: EditOptions = {}): void {
    const current = problem.value;
    const { tensor } = cells;
    const dy = tensor === 'dy' ? dyOf(current, result.value) : null;
    if (tensor === 'dy' && !dy && progress.value.status === 'computing') {
      waitingForDy.push(() => setCells(cells, value, name ? { gesture: name } : {}));
      return;
    }
    const indices = cellsIn(layer.value.desc, cells);
    const [index] = indices;
    const before = tensor === 'dy' ? dy : layer.value[tensor]?.data;
    if (index !== undefined && indices.every((each) => Object.is(before?.[each], Math.fround(value)))) return;
    const touched = index === undefined ? 'values' : { cell: { tensor, index } };
    attempt(() => editCells(current, at(), cells, value, dy), { field: tensor, text: String(value) }, touched, name);
  }

  return {
    /** The last accepted problem, as shown in the controls. */
    problem: problem as ReadonlySignal<Problem>,
    /** The layer of the problem that the controls show. */
    layer,
    /** Grows with each requested computation. */
    revision: revision as ReadonlySignal<number>,
    /** The newest inputs with their result, also while the next one is computed; null before the first and after a failure. */
    shown,
    progress: progress as ReadonlySignal<Progress>,
    draft: draft as ReadonlySignal<Draft | null>,
    canUndo: computed(() => history.value.past.length > 0),
    canRedo: computed(() => history.value.future.length > 0),

    setDesc(patch: Partial<ConvDesc>, { gesture: name, field, anyway }: EditOptions = {}): void {
      const current = problem.value;
      const changed = changedField(layer.value.desc, patch, field);
      // Same value as now: discards an earlier rejected edit.
      if (!changed) draft.value = null;
      else {
        const base = continues(name) ? gesture.base : current;
        attempt(() => editDesc(current, at(), base, patch, anyway), { ...changed, patch }, 'sizes', name);
      }
    },
    /**
     * Sets cells of x, w, b or dy to a value, rounded to float32. Cells are found by their position in the result in
     * which they were selected. If dy is still being computed, its cells are changed afterwards.
     */
    setCells,
    setSource: (tensor: 'x' | 'w' | 'b', source: TensorSource): void =>
      attempt(() => editSource(problem.value, at(), tensor, source), { field: tensor, text: source.kind }, 'values'),
    removeBias: (): void => editTo(withConv(problem.value, at(), { b: null }), 'b', 'values'),
    setFilter: (name: FilterName): void =>
      attempt(() => editFilter(problem.value, at(), name), { field: 'w', text: name }, 'sizes'),
    /** `geometry`: that of the result in which the loss was chosen, if it names cells. */
    setLoss(loss: Loss, { gesture: name, geometry }: EditOptions & { readonly geometry?: Geometry } = {}): void {
      waitingForDy = [];
      edit(editLoss(problem.value, at(), loss, geometry), { field: 'dy', text: wordOf(loss) }, 'values', name);
    },
    /**
     * Moves the 1 of a dy that follows the pointer; no effect on others. Like the pointer itself, it is not an edit: undo
     * has no step for it, and an opening does not yield to it. `geometry`: that of the open layer in the result that was pointed at.
     */
    pointDy(index: number, geometry?: Geometry): void {
      const current = problem.value;
      if (!followsPointer(current.loss) || singleOf(current.loss)?.index === index) return;
      const edited = editLoss(current, at(), given({ kind: 'pointed', index }), geometry);
      if ('error' in edited || guard(current, edited.problem)) return;
      batch(() => {
        problem.value = edited.problem;
        revision.value += 1;
      });
    },
    /** Forces an algorithm by name; null: the library plans. */
    setAlgorithm: (pass: Pass, name: string | null): void =>
      editTo(withAlgorithm(problem.value, at(), pass, name), pass, 'values'),
    /** Removes all forced algorithms, also from a problem that was rejected because of one, and computes it. */
    clearAlgorithms(): void {
      const wanted = draft.value?.refused ?? problem.value;
      editTo(withConv(wanted, at(), { algorithms: {} }), '', 'values');
    },
    /** Applies an edit of a module that is loaded later, with its control. */
    accept: edit,
    /** Replaces the problem and shows its first layer with weights; `touched`: whether undo restores the whole look. */
    open(next: Problem, touched: 'sizes' | 'everything'): void {
      batch(() => {
        stopEditing();
        make(next, { field: '', text: '' }, touched);
        look.showLayer(null);
      });
    },
    undo: (): void => travel(undone),
    redo: (): void => travel(redone),
    /** Starts an asynchronous opening. */
    begin(): Later {
      openings += 1;
      return since();
    },
    /** For an opening that the page itself will start: it yields to what comes before. */
    since,
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
    /** Computes the current problem again, after a failure or a stop. */
    retry(): void {
      newerThan = revision.peek();
      // Not read with `.value`: an effect that calls this must not subscribe to the revision.
      revision.value = revision.peek() + 1;
    },
  };
}
