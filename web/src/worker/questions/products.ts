import type { TensorName } from '../../protocol/problem';
import type { Answerer } from '../answerer';
import { ConvFailure } from '../failure';
import { checkCount, checkIndices, checkLength } from '../validate';

const TENSORS: readonly TensorName[] = ['x', 'w', 'b', 'y', 'dy', 'dx', 'dw', 'db'];

export const answerer: Answerer<'products'> = {
  fields: ['a', 'b', 'index_a', 'index_b', 'run'],
  answer({ heap }, { a, b, index_a, index_b, run }) {
    checkTensorName(a, 'a');
    if (b !== null) checkTensorName(b, 'b');
    heap.writeIndices('a', checkIndices(index_a, 'index_a'));
    checkLength(checkIndices(index_b, 'index_b').length, b === null ? 0 : index_a.length, 'index_b');
    heap.writeIndices('b', index_b);
    if (checkCount(run, 'run') < 1) throw new ConvFailure('invalid_argument', 'run', 'run must be at least 1');
    const { status, value: sum } = heap.session.products(heap.slot(a), heap.slot(b ?? a), run);
    heap.must(status);
    const written = heap.copy('result');
    return { products: written.slice(0, index_a.length), subtotals: written.slice(index_a.length), sum };
  },
};

function checkTensorName(name: TensorName, field: string): void {
  if (TENSORS.includes(name)) return;
  throw new ConvFailure('invalid_argument', field, `${field} must be one of ${TENSORS.join(', ')}`);
}
