import type { SessionHeap } from '../engine/session-heap';
import { checkCount, checkFields, checkFloats, checkLength, checkList, refuse } from '../engine/validate';
import type { ComputeRequest, ComputeResult, DySource } from '../protocol/messages';
import { type ConvDesc, PASSES, type Pass, READ_BY, type Shape, type TensorName } from '../protocol/problem';
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

/**
 * Writes dy, in the shape of y, to the module's heap. Returns the loss if dy is its gradient, otherwise null. A resident source
 * is passed as its kind; its target is already on the heap.
 */
export function writeDy(heap: SessionHeap, source: DySource | DySource['kind'], shape: Shape): number | null {
  if (typeof source === 'string') return needsOutput(source) ? heap.lossDy(source) : null;
  if (!needsOutput(source.kind)) heap.release('target');
  switch (source.kind) {
    case 'random':
      heap.must(heap.session.random_dy(source.seed));
      return null;
    case 'mse':
    case 'log_cosh':
      if (source.target) {
        checkLength(source.target.length, shapeSize(shape), 'dy.target');
        heap.write('target', source.target);
      } else {
        reserve(heap, 'target', shape).fill(0);
      }
      return heap.lossDy(source.kind);
    case 'ones':
      reserve(heap, 'dy', shape).fill(1);
      return null;
    case 'one_hot': {
      if (source.index < 0 || source.index >= shapeSize(shape)) {
        refuse('dy.index', `dy.index is ${source.index}, but y has ${shapeSize(shape)} cells`);
      }
      reserve(heap, 'dy', shape).fill(0)[source.index] = 1;
      return null;
    }
    case 'values':
      copyOverlap(source.data, source.shape, reserve(heap, 'dy', shape).fill(0), shape);
      return null;
  }
}

function reserve(heap: SessionHeap, name: 'dy' | 'target', shape: Shape): Float32Array {
  heap.must(heap.session.reserve(heap.slot(name), shapeSize(shape)));
  return heap.view(name);
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

/** What a session has computed for the last request. */
export interface ComputedState {
  readonly desc: ConvDesc;
  readonly algorithms: ComputeRequest['algorithms'];
  readonly hasBias: boolean;
  readonly source: DySource['kind'];
  readonly loss: number | null;
  readonly stats: ComputeResult['input_stats'];
  /** The passes with results in the session. */
  readonly runs: ComputeResult['runs'];
  /** Tensors that were sent to the page without hiding. */
  readonly sent: ReadonlySet<TensorName>;
}

/** Whether the session can keep its problem and results. Only a new problem resets the loss. */
export const isSameProblem = ({ desc, source }: ComputedState, request: ComputeRequest): boolean =>
  JSON.stringify(desc) === JSON.stringify(request.desc) &&
  (request.dy === 'resident' || !needsOutput(source) || needsOutput(request.dy.kind));

/** What must be computed again. `before`: state of the same problem; null if the session has no results. */
export function outdatedBy(request: ComputeRequest, before: ComputedState | null, source: DySource['kind']) {
  const { x, w, b, algorithms } = request;
  const isNew = {
    ...{ x: x !== 'resident', w: w !== 'resident', dy: false },
    b: b === null ? before?.hasBias !== false : b !== 'resident',
  };
  const isOld = (pass: Pass): boolean =>
    READ_BY[pass].some((name) => isNew[name]) || !before?.runs[pass] || before.algorithms[pass] !== algorithms[pass];
  isNew.dy = !before || request.dy !== 'resident' || (needsOutput(source) && isOld('forward'));
  return { dy: isNew.dy, passes: new Set(PASSES.filter(isOld)) };
}
