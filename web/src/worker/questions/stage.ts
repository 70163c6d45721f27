import { checkFlag, checkMember } from '../../engine/validate';
import type { StageName, TensorName } from '../../protocol/problem';
import type { Answerer } from '../answerer';

export const answerer: Answerer<'stage'> = {
  fields: ['stage', 'order', 'transposed'],
  answer({ module, heap }, question) {
    const stage = checkMember(module.Stage, question.stage, 'stage');
    const order = checkMember(module.ColumnOrder, question.order, 'order');
    const transposed = checkFlag(question.transposed, 'transposed');
    const { status, shape } = heap.session.stage(stage, { order, transposed });
    heap.must(status);
    const tensor = heap.read('stage', shape);
    heap.release('stage');
    return tensor;
  },
  hide({ module, heap }, { stage, order, transposed }, answer, masks) {
    const { of, as, like } = COPIES[stage];
    if (!masks.any(stage)) return answer;
    if (masks.named(stage) || like === null) return masks.blankWhere(answer, () => true);
    const form = { order: checkMember(module.ColumnOrder, order, 'order'), transposed };
    const marks = masks.moved(of, as, () => heap.must(heap.session.stage(module.Stage[like], form).status));
    return masks.blankWhere(answer, (index) => marks.length !== answer.data.length || Number.isNaN(marks[index]));
  },
};

interface Copy {
  readonly of: TensorName;
  /** The input whose cells lie as those of `of`, and the stage into which they are moved as those of `of` into this one. */
  readonly as: 'x' | 'w' | 'dy';
  /** null: it holds more, or parts, of the same numbers. */
  readonly like: StageName | null;
}

/** Where a cell of a tensor is found again. An entry of x_col is what its twin in dx_col is added to. */
const COPIES: Readonly<Record<StageName, Copy>> = {
  x_padded: { of: 'x', as: 'x', like: 'x_padded' },
  x_col: { of: 'x', as: 'x', like: 'x_col' },
  w_col: { of: 'w', as: 'w', like: 'w_col' },
  w_exchanged: { of: 'w', as: 'w', like: 'w_exchanged' },
  w_turned: { of: 'w', as: 'w', like: 'w_turned' },
  dy_col: { of: 'dy', as: 'dy', like: 'dy_col' },
  dy_spread: { of: 'dy', as: 'dy', like: 'dy_spread' },
  dy_extended: { of: 'dy', as: 'dy', like: 'dy_extended' },
  dy_inserted: { of: 'dy', as: 'dy', like: 'dy_inserted' },
  y_col: { of: 'y', as: 'dy', like: 'dy_col' },
  dx_padded: { of: 'dx', as: 'x', like: 'x_padded' },
  dx_col: { of: 'dx', as: 'x', like: 'x_col' },
  dw_col: { of: 'dw', as: 'w', like: 'w_col' },
  dw_uncropped: { of: 'dw', as: 'w', like: null },
  dw_per_image: { of: 'dw', as: 'w', like: null },
};
