import type { TensorName } from '../../protocol/problem';
import type { Answerer } from '../answerer';
import { ConvFailure } from '../failure';
import { checkIndices } from '../validate';

const TENSORS: readonly TensorName[] = ['x', 'w', 'b', 'y', 'dy', 'dx', 'dw', 'db'];

export const answerer: Answerer<'products'> = {
  fields: ['a', 'b', 'index_a', 'index_b'],
  answer({ heap }, { a, b, index_a, index_b }) {
    checkTensorName(a, 'a');
    checkTensorName(b, 'b');
    heap.writeIndices('a', checkIndices(index_a, 'index_a'));
    heap.writeIndices('b', checkIndices(index_b, 'index_b'));
    const { status, value: sum } = heap.session.products(heap.slot(a), heap.slot(b), 1);
    heap.must(status);
    return { products: heap.copy('result').slice(0, index_a.length), sum };
  },
};

function checkTensorName(name: TensorName, field: string): void {
  if (TENSORS.includes(name)) return;
  throw new ConvFailure('invalid_argument', field, `${field} must be one of ${TENSORS.join(', ')}`);
}
