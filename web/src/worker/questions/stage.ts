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
    // dx_padded and dx_col contain single products, from which a hidden factor could be derived.
    if (of === 'dx' && (masks.any('w') || masks.any('dy'))) return masks.blankWhere(answer, () => true);
    if (!masks.any(stage)) return answer;
    if (masks.named(stage) || like === null) return masks.blankWhere(answer, () => true);
    const form = { order: checkMember(module.ColumnOrder, order, 'order'), transposed };
    const marks = masks.moved(of, as, () => heap.must(heap.session.stage(module.Stage[like], form).status));
    return masks.blankWhere(answer, (index) => marks.length !== answer.data.length || Number.isNaN(marks[index]));
  },
};

interface CopySource {
  readonly of: TensorName;
  /** The input with the shape of `of`, and the stage that copies `as` in the way in which this stage copies `of`. */
  readonly as: 'x' | 'w' | 'dy';
  /** null: the stage has terms, not copies. */
  readonly like: StageName | null;
}

/** How stages copy cells of tensors. A cell of dx_col is added to the cell of dx that x_col reads at the same index. */
const COPIES: Readonly<Record<StageName, CopySource>> = {
  x_padded: { of: 'x', as: 'x', like: 'x_padded' },
  x_col: { of: 'x', as: 'x', like: 'x_col' },
  w_col: { of: 'w', as: 'w', like: 'w_col' },
  w_exchanged: { of: 'w', as: 'w', like: 'w_exchanged' },
  w_flipped: { of: 'w', as: 'w', like: 'w_flipped' },
  dy_col: { of: 'dy', as: 'dy', like: 'dy_col' },
  dy_upsampled: { of: 'dy', as: 'dy', like: 'dy_upsampled' },
  dy_extended: { of: 'dy', as: 'dy', like: 'dy_extended' },
  dy_inserted: { of: 'dy', as: 'dy', like: 'dy_inserted' },
  y_col: { of: 'y', as: 'dy', like: 'dy_col' },
  dx_padded: { of: 'dx', as: 'x', like: 'x_padded' },
  dx_col: { of: 'dx', as: 'x', like: 'x_col' },
  dw_col: { of: 'dw', as: 'w', like: 'w_col' },
  dw_uncropped: { of: 'dw', as: 'w', like: null },
  dw_per_image: { of: 'dw', as: 'w', like: null },
};
