import type { ProductsRequest, ProductsResult } from '../protocol/follow-ups';
import type { TensorName } from '../protocol/problem';
import { ConvFailure } from './failure';
import type { SessionHeap } from './session-heap';
import { checkFields, checkIndices } from './validate';

const TENSORS: readonly TensorName[] = ['x', 'w', 'b', 'y', 'dy', 'dx', 'dw', 'db'];

function checkTensorName(name: TensorName, field: string): void {
  if (TENSORS.includes(name)) return;
  throw new ConvFailure('invalid_argument', field, `${field} must be one of ${TENSORS.join(', ')}`);
}

export function readProducts(heap: SessionHeap, request: ProductsRequest): ProductsResult {
  checkFields(request, ['type', 'revision', 'a', 'b', 'index_a', 'index_b'], 'the request');
  checkTensorName(request.a, 'a');
  checkTensorName(request.b, 'b');
  heap.writeIndices('a', checkIndices(request.index_a, 'index_a'));
  heap.writeIndices('b', checkIndices(request.index_b, 'index_b'));
  const { status, value: sum } = heap.session.products(heap.slot(request.a), heap.slot(request.b));
  heap.must(status);
  return { type: 'products', products: heap.copy('result'), sum };
}
