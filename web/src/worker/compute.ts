import { ConvFailure } from '../engine/failure';
import type { SessionHeap } from '../engine/session-heap';
import {
  checkFields,
  checkFloats,
  checkLength,
  checkList,
  checkMember,
  checkText,
  embindDesc,
  plainGeometry,
} from '../engine/validate';
import type { ComputeRequest, ComputeResult, DySource, RunReport, TensorInput } from '../protocol/messages';
import { type ConvDesc, PASSES, type Pass, type Shape, type Tensor, type TensorName } from '../protocol/problem';
import { shapeSize } from '../protocol/shapes';
import { RESULT_OF } from '../protocol/tensors';
import type { MainModule } from '../wasm/module';
import { biasShape, type OnProgress, type Problem, Progress } from './answerer';
import { checkDySource, needsOutput, writeDy } from './dy';

const REQUEST_FIELDS = ['type', 'desc', 'x', 'w', 'b', 'dy', 'passes', 'algorithms'];

export function outputShape(problem: Problem, pass: Pass): Shape {
  if (pass === 'forward') return problem.y_shape;
  if (pass === 'backward_data') return problem.x_shape;
  return pass === 'backward_weights' ? problem.w_shape : biasShape(problem);
}

/** Checks all types in a request, before the session is changed. */
export function checkRequest(module: MainModule, request: ComputeRequest): void {
  checkFields(request, request.hidden ? [...REQUEST_FIELDS, 'hidden'] : REQUEST_FIELDS, 'the request');
  for (const name of ['x', 'w', 'b'] as const) {
    if (request[name] !== 'resident' && !(name === 'b' && request.b === null)) checkFloats(request[name], name);
  }
  if (request.dy !== 'resident') checkDySource(request.dy);
  for (const pass of checkList(request.passes, 'passes')) checkMember(module.Pass, pass, 'passes');
  for (const [pass, algorithm] of Object.entries(request.algorithms)) {
    checkMember(module.Pass, pass, 'algorithms');
    checkText(algorithm, `algorithms.${pass}`);
  }
}

/** Sets the problem. If it throws, the session still has the previous one. */
export function setProblem(module: MainModule, heap: SessionHeap, request: ComputeRequest): Problem {
  const set = heap.session.set_problem(embindDesc(module, request.desc));
  heap.must(set.status);
  const { x_shape, w_shape, y_shape } = set;
  return { geometry: plainGeometry(module, set.geometry), x_shape, w_shape, y_shape };
}

function writeInputs(heap: SessionHeap, problem: Problem, request: ComputeRequest): void {
  const inputs: readonly (readonly ['x' | 'w' | 'b', TensorInput | null, Shape])[] = [
    ['x', request.x, problem.x_shape],
    ['w', request.w, problem.w_shape],
    ['b', request.b, biasShape(problem)],
  ];
  // Check all lengths before the first write, so that a rejected request does not change resident tensors.
  for (const [name, input, shape] of inputs) {
    if (input !== null) checkLength(input === 'resident' ? heap.length(name) : input.length, shapeSize(shape), name);
  }
  for (const [name, input] of inputs) {
    if (input === null) heap.release(name);
    else if (input !== 'resident') heap.write(name, input);
  }
}

interface SessionState {
  readonly module: MainModule;
  readonly heap: SessionHeap;
  readonly problem: Problem;
  /** Null: the session has no results of the problem. */
  readonly before: ComputedState | null;
}

/** Computes a request for the current problem. Reuses results that depend only on resident tensors. */
export function computeProblem(
  { module, heap, problem, before }: SessionState,
  request: ComputeRequest,
  onProgress: OnProgress,
): { readonly result: Omit<ComputeResult, 'revision'>; readonly computed: ComputedState } {
  const { desc, algorithms, dy, hidden } = request;
  const source = dy === 'resident' ? before?.source : dy.kind;
  if (source === undefined) throw new ConvFailure('invalid_argument', 'dy', 'dy is resident, but the session has none');
  writeInputs(heap, problem, request);
  const wanted = PASSES.filter((pass) => request.passes.includes(pass));
  const needed = PASSES.filter((pass) => wanted.includes(pass) || (pass === 'forward' && needsOutput(source)));
  const outdated = outdatedBy(request, before, source);
  const due = needed.filter((pass) => outdated.passes.has(pass));
  // Release outdated results, so that no question reads them.
  for (const pass of outdated.passes) if (!needed.includes(pass)) heap.release(RESULT_OF[pass]);

  const progress = new Progress(due.length + Number(outdated.dy), onProgress);
  const runs: Partial<Record<Pass, RunReport>> = {};
  for (const pass of PASSES) {
    const kept = before?.runs[pass];
    if (kept && !outdated.passes.has(pass)) runs[pass] = kept;
  }
  const runPass = (pass: Pass): void => {
    runs[pass] = progress.part(pass, (step) => heap.run(pass, algorithms[pass] ?? '', step));
  };
  if (due.includes('forward')) runPass('forward');
  const loss = outdated.dy
    ? progress.part('dy', () => writeDy(module, heap, dy === 'resident' ? source : dy, problem.y_shape))
    : (before?.loss ?? null);
  for (const pass of due) if (pass !== 'forward') runPass(pass);

  const tensors: Partial<Record<TensorName, Tensor>> = {};
  const unchanged: TensorName[] = [];
  const send = (name: TensorName, shape: Shape, isNew: boolean): void => {
    // With hidden values all tensors are sent: values are removed while sending.
    if (isNew || hidden || !before?.sent.has(name)) tensors[name] = heap.read(name, shape);
    else unchanged.push(name);
  };
  send('dy', problem.y_shape, outdated.dy);
  for (const pass of wanted) send(RESULT_OF[pass], outputShape(problem, pass), due.includes(pass));
  heap.release('result');
  const statsOf = (name: 'x' | 'w') => (before && request[name] === 'resident' ? before.stats[name] : heap.stats(name));
  const stats = { x: statsOf('x'), w: statsOf('w'), b: request.b === null ? null : heap.stats('b') };
  const reported = Object.fromEntries(Object.entries(runs).filter(([pass]) => needed.includes(pass as Pass)));
  const sent = new Set<TensorName>(hidden ? [] : ['dy', ...wanted.map((pass) => RESULT_OF[pass])]);
  return {
    result: {
      type: 'compute',
      geometry: problem.geometry,
      input_stats: stats,
      tensors,
      unchanged,
      loss,
      runs: reported,
    },
    computed: { desc, algorithms, hasBias: request.b !== null, source, loss, stats, runs, sent },
  };
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

/** What must be computed again. */
export interface Outdated {
  readonly dy: boolean;
  readonly passes: ReadonlySet<Pass>;
}

/** `before`: state of the same problem; null if the session has no results. */
export function outdatedBy(request: ComputeRequest, before: ComputedState | null, source: DySource['kind']): Outdated {
  const { x, w, b, algorithms } = request;
  const newB = b === null ? before?.hasBias !== false : b !== 'resident';
  const [newX, newW] = [x !== 'resident', w !== 'resident'];
  const isOld = (pass: Pass, byInputs: boolean) =>
    byInputs || !before?.runs[pass] || before.algorithms[pass] !== algorithms[pass];
  const y = isOld('forward', newX || newW || newB);
  const dy = !before || request.dy !== 'resident' || (needsOutput(source) && y);
  const byInputs = {
    forward: newX || newW || newB,
    backward_data: dy || newW,
    backward_weights: dy || newX,
    backward_bias: dy,
  };
  return { dy, passes: new Set(PASSES.filter((pass) => isOld(pass, byInputs[pass]))) };
}
