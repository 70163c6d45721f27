import type { SessionHeap } from '../engine/session-heap';
import { checkCount, checkFields, checkFloats, checkLength, checkList, memberNames, refuse } from '../engine/validate';
import type { DySource, GivenDy } from '../protocol/messages';
import type { Shape } from '../protocol/problem';
import { shapeSize } from '../protocol/shapes';
import type { MainModule } from '../wasm/module';

const FIELDS: Readonly<Record<GivenDy['kind'], readonly string[]>> = {
  ones: ['kind'],
  random: ['kind', 'seed'],
  one_hot: ['kind', 'index'],
  values: ['kind', 'shape', 'data'],
};

const isGiven = (kind: string): kind is GivenDy['kind'] => Object.hasOwn(FIELDS, kind);

/** Checks the types of a dy source. `Loss`: the losses of the library. Checks that need the shape of y are in writeDy. */
export function checkDySource(source: DySource, Loss: MainModule['Loss']): void {
  const kind = typeof source === 'object' && source !== null ? source.kind : undefined;
  const losses = memberNames(Loss).filter((name) => name !== 'linear');
  if (typeof kind !== 'string' || !(isGiven(kind) || losses.includes(kind))) {
    refuse('dy', `dy must be one of ${[...Object.keys(FIELDS), ...losses].join(', ')}`);
  }
  checkFields(source, isGiven(kind) ? FIELDS[kind] : ['kind', 'target'], 'dy', 'dy.');
  if ('target' in source) {
    if (source.target !== null) checkFloats(source.target, 'dy.target');
    return;
  }
  if (source.kind === 'random') checkCount(source.seed, 'dy.seed');
  if (source.kind === 'one_hot') checkCount(source.index, 'dy.index');
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

/** Whether dy is computed from y: the kind is the name of a loss. */
export const needsOutput = (kind: string): boolean => !isGiven(kind);

/** Writes dy of the last layer, in the shape of its y, or the target of the loss that computes it. `heap`: of the last layer. */
export function writeDy(heap: SessionHeap, source: DySource, shape: Shape): void {
  const length = shapeSize(shape);
  if ('target' in source) {
    heap.setLoss(source.kind);
    if (source.target) {
      checkLength(source.target.length, length, 'dy.target');
      heap.write('target', source.target);
    } else {
      heap.reserve('target', length).fill(0);
    }
    return;
  }
  // The loss is then the sum of y · dy.
  heap.setLoss('linear');
  heap.release('target');
  switch (source.kind) {
    case 'random':
      heap.must(heap.session.random_dy(source.seed));
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
