import { checkCount, checkMember } from '../../engine/validate';
import type { ProcessName, TensorName } from '../../protocol/problem';
import type { Answerer } from '../answerer';

export const answerer: Answerer<'partial'> = {
  fields: ['process', 'steps'],
  answer({ module, heap }, question) {
    const process = checkMember(module.Process, question.process, 'process');
    const { status, shape, total_steps: total } = heap.session.partial(process, checkCount(question.steps, 'steps'));
    heap.must(status);
    const tensor = heap.read('result', shape);
    heap.release('result');
    return { total, tensor };
  },
  // A number on its way is hidden from the first step on; and where a factor is, the steps would tell it one by one.
  hide(_asked, { process, steps }, { total, tensor }, masks) {
    const { result, inputs } = PARTS[process];
    const told = steps >= total || !inputs.some((name) => masks.any(name));
    return { total, tensor: told ? masks.blank(tensor, result) : masks.blankWhere(tensor, () => true) };
  },
};

interface Parts {
  /** What a process ends with; its frames have the same cells. */
  readonly result: TensorName;
  readonly inputs: readonly TensorName[];
}

const FORWARD: Parts = { result: 'y', inputs: ['x', 'w', 'b'] };
const DX: Parts = { result: 'dx', inputs: ['w', 'dy'] };
const DW: Parts = { result: 'dw', inputs: ['x', 'dy'] };

const PARTS: Readonly<Record<ProcessName, Parts>> = {
  forward: FORWARD,
  dx_scatter: DX,
  dx_col2im: DX,
  dx_gather: DX,
  dx_full_conv: DX,
  dx_full_conv_unturned: DX,
  dw_accumulate: DW,
  dw_dilated_dy: DW,
  db_accumulate: { result: 'db', inputs: ['dy'] },
};
