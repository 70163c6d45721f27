import { refuse } from '../../engine/validate';
import { PASS_OF, READ_BY, type ResultName, type StageName, type TensorName } from '../../protocol/problem';
import type { FoldAsk } from '../../protocol/questions';
import { descOf, shapeSize } from '../../protocol/shapes';
import type { Answerer } from '../answerer';
import type { Masks } from '../masks';

export const stage: Answerer<'stage'> = {
  answer({ heap }, { stage, order, transposed }) {
    const { module } = heap;
    const form = { order: module.ColumnOrder[order], transposed };
    const { shape } = heap.must(heap.session.stage(heap.layer, module.Stage[stage], form));
    return heap.drain('stage', shape);
  },
  hide({ heap, problem }, { stage, order, transposed }, answer, masks) {
    const of = masks.tensorOf(stage);
    const [as, like] = [AS[of], LIKE[stage] === undefined ? stage : LIKE[stage]];
    if ((of === 'dx' || like === null) && hidesFactor(masks, of)) return masks.blankWhere(answer, () => true);
    if (!masks.any(stage)) return answer;
    if (masks.named(stage) || !as || !like) return masks.blankWhere(answer, () => true);
    const form = { order: heap.module.ColumnOrder[order], transposed };
    const marks = masks.moved(of, as, descOf(problem.geometry), (marked) =>
      marked.must(marked.session.stage(0, heap.module.Stage[like], form)),
    );
    return masks.blankWhere(answer, (index) => marks.length !== answer.data.length || Number.isNaN(marks[index]));
  },
};

/** Whether a factor of a result is hidden: it could be derived from single products and other partial sums, so none is sent. */
const hidesFactor = (masks: Masks, result: TensorName): boolean =>
  READ_BY[PASS_OF[result as ResultName]].some((name) => masks.any(name));

/** The input with the shape of a result. */
const AS: Readonly<Partial<Record<TensorName, 'x' | 'w' | 'dy'>>> = {
  x: 'x',
  w: 'w',
  y: 'dy',
  dy: 'dy',
  dx: 'x',
  dw: 'w',
};

/**
 * Stages that copy cells of their tensor as another stage copies those of the input; null: the stage has terms, not copies. A cell
 * of dx_col is added to the cell of dx that x_col reads at the same index.
 */
const LIKE: Readonly<Partial<Record<StageName, StageName | null>>> = {
  ...{ y_col: 'dy_col', dx_padded: 'x_padded', dx_col: 'x_col', dw_col: 'w_col' },
  ...{ dw_uncropped: null, dw_per_image: null },
};

export const partial: Answerer<'partial'> = {
  answer({ heap }, { process, steps }) {
    const { shape, total_steps: total } = heap.must(
      heap.session.partial(heap.layer, heap.module.Process[process], steps),
    );
    return { total, tensor: heap.drain('result', shape) };
  },
  // Hidden cells are hidden at all steps.
  hide({ problem }, { process, steps }, { total, tensor }, masks) {
    const result = process === 'forward' ? 'y' : (process.slice(0, 2) as 'dx' | 'dw' | 'db');
    // dw_dilated_dy ends with cells beyond the kernel if x has a remainder.
    const cropped = tensor.data.length === shapeSize(problem.shapes[result]);
    const ended = steps >= total && cropped && process !== 'dx_full_conv_unflipped';
    const visible = (ended || !hidesFactor(masks, result)) && (cropped || !masks.any(result));
    return { total, tensor: visible ? masks.blank(tensor, result) : masks.blankWhere(tensor, () => true) };
  },
};

export const fold: Answerer<'fold'> = {
  answer({ heap }, { mode, positions }) {
    const { shape, total_steps: total } = heap.must(
      heap.session.fold(heap.layer, heap.module.FoldMode[mode], foldedRows(positions)),
    );
    heap.release('stage');
    return { total, tensor: heap.drain('result', shape) };
  },
  // Only the whole sum has the cells of dx.
  hide(_context, { mode, positions }, { total, tensor }, masks) {
    const ended = mode === 'sum' && (positions === 'all' || positions >= total);
    const visible = ended || !hidesFactor(masks, 'dx');
    return { total, tensor: visible ? masks.blank(tensor, 'dx') : masks.blankWhere(tensor, () => true) };
  },
};

/** For the session -1 means all rows. */
function foldedRows(positions: FoldAsk['positions']): number {
  if (positions === 'all') return -1;
  return positions >= 0 ? positions : refuse('positions', `positions is ${positions}, but must be at least 0`);
}

export const coverage: Answerer<'coverage'> = {
  answer({ heap, problem: { geometry } }) {
    heap.must(heap.session.coverage(heap.layer));
    return heap.drain('result', [1, geometry.h, geometry.w, 1]);
  },
  hide: (_context, _question, answer) => answer,
};
