import type {
  DetailsRequest,
  DetailsResult,
  FoldRequest,
  FoldResult,
  PartialRequest,
  PartialResult,
  StageRequest,
  StageResult,
} from '../protocol/follow-ups';
import type { Geometry, Shape } from '../protocol/problem';
import type { MainModule } from '../wasm/load';
import { ConvFailure } from './failure';
import { type OnProgress, Progress } from './progress';
import type { SessionHeap } from './session-heap';
import { checkCount, checkFields, checkFlag, checkList, checkMember } from './validate';

/** What follows from the problem that the session holds. */
export interface Problem {
  readonly geometry: Geometry;
  readonly x_shape: Shape;
  readonly w_shape: Shape;
  readonly y_shape: Shape;
}

export const biasShape = (problem: Problem): Shape => [1, 1, 1, problem.geometry.k];

export function readStage(module: MainModule, heap: SessionHeap, request: StageRequest, field: string): StageResult {
  checkFields(request, ['stage', 'order', 'transposed'], field, `${field}.`);
  const stage = checkMember(module.Stage, request.stage, `${field}.stage`);
  const order = checkMember(module.ColumnOrder, request.order, `${field}.order`);
  const transposed = checkFlag(request.transposed, `${field}.transposed`);
  const { status, shape } = heap.session.stage(stage, { order, transposed });
  heap.must(status);
  const tensor = heap.read('stage', shape);
  heap.release('stage');
  return { stage: request.stage, order: request.order, transposed, tensor };
}

export function readPartial(
  module: MainModule,
  heap: SessionHeap,
  request: PartialRequest,
  field: string,
): PartialResult {
  checkFields(request, ['process', 'steps'], field, `${field}.`);
  const process = checkMember(module.Process, request.process, `${field}.process`);
  const steps = checkCount(request.steps, `${field}.steps`);
  const { status, shape, total_steps: total } = heap.session.partial(process, steps);
  heap.must(status);
  return { process: request.process, steps, total, tensor: heap.read('result', shape) };
}

function readFold(module: MainModule, heap: SessionHeap, request: FoldRequest, field: string): FoldResult {
  checkFields(request, ['mode', 'positions'], field, `${field}.`);
  const mode = checkMember(module.FoldMode, request.mode, `${field}.mode`);
  const { positions } = request;
  const { status, shape, total_steps: total } = heap.session.fold(mode, foldedRows(positions, `${field}.positions`));
  heap.must(status);
  heap.release('stage');
  return { mode: request.mode, positions, total, tensor: heap.read('result', shape) };
}

/** The session takes a negative number for all rows. */
function foldedRows(positions: number | 'all', field: string): number {
  if (positions === 'all') return -1;
  const rows = checkCount(positions, field);
  if (rows < 0) throw new ConvFailure('invalid_argument', field, `${field} is ${rows}, but must be at least 0`);
  return rows;
}

export function readDetails(
  module: MainModule,
  heap: SessionHeap,
  problem: Problem,
  request: DetailsRequest,
  onProgress: OnProgress,
): DetailsResult {
  checkFields(request, ['type', 'revision', 'stages', 'partials', 'folds', 'coverage'], 'the request');
  checkList(request.stages, 'stages');
  checkList(request.partials, 'partials');
  checkList(request.folds, 'folds');
  const parts = request.stages.length + request.partials.length + request.folds.length + 1;
  const progress = new Progress(parts, onProgress);
  const stages = request.stages.map((stage, i) =>
    progress.part('stage', () => readStage(module, heap, stage, `stages[${i}]`)),
  );
  const partials = request.partials.map((partial, i) =>
    progress.part('frame', () => readPartial(module, heap, partial, `partials[${i}]`)),
  );
  const folds = request.folds.map((fold, i) =>
    progress.part('fold', () => readFold(module, heap, fold, `folds[${i}]`)),
  );
  let coverage: DetailsResult['coverage'] = null;
  if (checkFlag(request.coverage, 'coverage')) {
    progress.part('coverage', () => heap.must(heap.session.coverage()));
    coverage = heap.read('result', [1, problem.geometry.h, problem.geometry.w, 1]);
  }
  heap.release('result');
  return { type: 'details', stages, partials, folds, coverage };
}
