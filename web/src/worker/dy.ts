import type { SessionHeap } from '../engine/session-heap';
import { checkCount, checkFields, checkFloats, checkLength, checkList, refuse } from '../engine/validate';
import type { DySource } from '../protocol/messages';
import type { LossName, Shape } from '../protocol/problem';
import { shapeSize } from '../protocol/shapes';

const FIELDS: Readonly<Record<DySource['kind'], readonly string[]>> = {
  ones: ['kind'],
  random: ['kind', 'seed'],
  one_hot: ['kind', 'index'],
  values: ['kind', 'shape', 'data'],
  mse: ['kind', 'target'],
  log_cosh: ['kind', 'target'],
};

/** Checks the types of a dy source. Checks that need the shape of y are in writeDy. */
export function checkDySource(source: DySource): void {
  const kind = typeof source === 'object' && source !== null ? source.kind : undefined;
  if (typeof kind !== 'string' || !Object.hasOwn(FIELDS, kind)) {
    refuse('dy', `dy must be one of ${Object.keys(FIELDS).join(', ')}`);
  }
  checkFields(source, FIELDS[kind], 'dy', 'dy.');
  if (source.kind === 'random') checkCount(source.seed, 'dy.seed');
  if (source.kind === 'one_hot') checkCount(source.index, 'dy.index');
  if ((source.kind === 'mse' || source.kind === 'log_cosh') && source.target !== null) {
    checkFloats(source.target, 'dy.target');
  }
  if (source.kind === 'values') {
    checkFloats(source.data, 'dy.data');
    const shape = checkList(source.shape, 'dy.shape');
    checkLength(shape.length, 4, 'dy.shape');
    for (const extent of shape) {
      if (checkCount(extent, 'dy.shape') < 0) {
        refuse('dy.shape', `dy.shape has the negative size ${extent}`, 'invalid_size');
      }
    }
    checkLength(source.data.length, shapeSize(source.shape), 'dy.data');
  }
}

/** Whether dy is computed from y. */
export const needsOutput = (kind: DySource['kind']): kind is 'mse' | 'log_cosh' =>
  kind === 'mse' || kind === 'log_cosh';

/** The loss that dy is the gradient of; linear: dy is written. */
export const lossOf = (kind: DySource['kind']): LossName => (needsOutput(kind) ? kind : 'linear');

/** Writes dy of the last layer, in the shape of its y, or the target of the loss that computes it. `heap`: of the last layer. */
export function writeDy(heap: SessionHeap, source: DySource, shape: Shape): void {
  heap.setLoss(lossOf(source.kind));
  const length = shapeSize(shape);
  if (!needsOutput(source.kind)) heap.release('target');
  switch (source.kind) {
    case 'random':
      heap.must(heap.session.random_dy(source.seed));
      return;
    case 'mse':
    case 'log_cosh':
      if (source.target) {
        checkLength(source.target.length, length, 'dy.target');
        heap.write('target', source.target);
      } else {
        heap.reserve('target', length).fill(0);
      }
      return;
    case 'ones':
      heap.reserve('dy', length).fill(1);
      return;
    case 'one_hot': {
      if (source.index < 0 || source.index >= length) {
        refuse('dy.index', `dy.index is ${source.index}, but y has ${length} cells`);
      }
      heap.reserve('dy', length).fill(0)[source.index] = 1;
      return;
    }
    case 'values':
      copyOverlap(source.data, source.shape, heap.reserve('dy', length).fill(0), shape);
      return;
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
