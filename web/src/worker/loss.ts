import type { SessionHeap } from '../engine/session-heap';
import { checkLength, refuse } from '../engine/validate';
import { isPerPosition } from '../losses/list';
import type { SentLoss } from '../protocol/messages';
import type { Geometry, Shape } from '../protocol/problem';
import { shapeSize } from '../protocol/shapes';
import { problemIn } from './answerer';

/** The name of a loss in the session: that of a dy that is given is the sum of y · dy. */
export const lossName = (loss: SentLoss): string => ('dy' in loss ? 'linear' : loss.kind);

/** One-hot targets, in the layout of the session: 1 in the channel `classOf(position)`. */
export function oneHotTarget(to: Float32Array, { layout, k, oh, ow }: Geometry, classOf: (position: number) => number) {
  const step = layout === 'nhwc' ? 1 : oh * ow;
  to.fill(0);
  for (let position = 0; position * k < to.length; position += 1) {
    const first = Math.floor(position / step) * step * k + (position % step);
    to[first + (classOf(position) % k) * step] = 1;
  }
}

/** Writes dy of the last layer, in the shape of its y, or the target of the loss that computes it. `heap`: of the last layer. */
export function writeLoss(heap: SessionHeap, loss: SentLoss, shape: Shape): void {
  const length = shapeSize(shape);
  if (!('dy' in loss)) {
    const { target } = loss;
    if (target !== null)
      checkLength(target === 'resident' ? heap.length('target') : target.length, length, 'loss.target');
    if (target === null && isPerPosition(loss.kind))
      oneHotTarget(heap.reserve('target', length), problemIn(heap.end).geometry, () => 0);
    else if (target === null) heap.reserve('target', length).fill(0);
    else if (target !== 'resident') heap.write('target', target);
    return;
  }
  heap.release('target');
  const { dy } = loss;
  if (dy === 'resident') checkLength(heap.length('dy'), length, 'dy');
  else if (dy.kind === 'random') heap.must(heap.session.random_dy(dy.seed));
  else if (dy.kind === 'ones') heap.reserve('dy', length).fill(1);
  else if (dy.kind === 'values') {
    checkLength(dy.data.length, shapeSize(dy.shape), 'dy.data');
    copyOverlap(dy.data, dy.shape, heap.reserve('dy', length).fill(0), shape);
  } else {
    const { index } = dy;
    if (index < 0 || index >= length) refuse('dy.index', `dy.index is ${index}, but y has ${length} cells`);
    heap.reserve('dy', length).fill(0)[index] = 1;
  }
}

function copyOverlap(from: Float32Array, fromShape: Shape, to: Float32Array, toShape: Shape): void {
  const common = fromShape.map((extent, axis) => Math.min(extent, toShape[axis] ?? 0));
  const [n = 0, h = 0, w = 0, c = 0] = common;
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j < h; j += 1) {
      for (let k = 0; k < w; k += 1) {
        const source = ((i * fromShape[1] + j) * fromShape[2] + k) * fromShape[3];
        to.set(from.subarray(source, source + c), ((i * toShape[1] + j) * toShape[2] + k) * toShape[3]);
      }
    }
  }
}
