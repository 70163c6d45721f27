import { FILE_LIMITS } from '../protocol/file-limits';
import { countOf, shapeText } from './format';

/** The error of a shape from a file, or null. Call it before allocating. */
export function shapeError(shape: readonly number[]): string | null {
  if (shape.length > FILE_LIMITS.rank) {
    return `the tensor has ${shape.length} axes; the limit is ${FILE_LIMITS.rank}`;
  }
  const odd = shape.find((size) => !Number.isSafeInteger(size) || size < 0);
  if (odd !== undefined) return `the tensor has a size of ${odd}, which is not valid`;
  const count = countOf(shape);
  if (count <= FILE_LIMITS.elements) return null;
  const most = FILE_LIMITS.elements.toLocaleString('en');
  return `the tensor ${shapeText(shape)} has more numbers than the limit of ${most}`;
}
