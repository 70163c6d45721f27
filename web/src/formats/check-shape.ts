import { FILE_LIMITS } from '../protocol/file-limits';
import { countOf, shapeText } from './format';

/** What is wrong with sizes that a file says, or null. To be asked before anything is allocated for them. */
export function shapeFault(shape: readonly number[]): string | null {
  if (shape.length > FILE_LIMITS.rank) {
    return `the tensor has ${shape.length} axes, but at most ${FILE_LIMITS.rank} are read`;
  }
  const odd = shape.find((size) => !Number.isSafeInteger(size) || size < 0);
  if (odd !== undefined) return `the tensor has a size of ${odd}, which is no count`;
  const count = countOf(shape);
  if (count <= FILE_LIMITS.elements) return null;
  const most = FILE_LIMITS.elements.toLocaleString('en');
  return `the tensor ${shapeText(shape)} has more numbers than the ${most} that are read`;
}
