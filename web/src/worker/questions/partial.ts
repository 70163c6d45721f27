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
  // Hidden cells are hidden at all steps. If a factor is hidden, no intermediate step is sent: it could be derived from them.
  hide(_context, { process, steps }, { total, tensor }, masks) {
    const { result, inputs } = TENSORS[process];
    const visible = steps >= total || !inputs.some((name) => masks.any(name));
    return { total, tensor: visible ? masks.blank(tensor, result) : masks.blankWhere(tensor, () => true) };
  },
};

interface ProcessTensors {
  /** The result of the process; partial results have the same cells. */
  readonly result: TensorName;
  readonly inputs: readonly TensorName[];
}

const FORWARD: ProcessTensors = { result: 'y', inputs: ['x', 'w', 'b'] };
const DX: ProcessTensors = { result: 'dx', inputs: ['w', 'dy'] };
const DW: ProcessTensors = { result: 'dw', inputs: ['x', 'dy'] };

const TENSORS: Readonly<Record<ProcessName, ProcessTensors>> = {
  forward: FORWARD,
  dx_scatter: DX,
  dx_col2im: DX,
  dx_gather: DX,
  dx_full_conv: DX,
  dx_full_conv_unflipped: DX,
  dw_accumulate: DW,
  dw_dilated_dy: DW,
  db_accumulate: { result: 'db', inputs: ['dy'] },
};
