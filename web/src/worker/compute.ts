import { embindDesc, plainGeometry } from '../engine/embind-desc';
import type { SessionHeap } from '../engine/session-heap';
import { checkFields, checkFloats, checkLength, checkList, checkMember, checkText } from '../engine/validate';
import type { AlgorithmInfo, ComputeRequest, ComputeResult, RunReport, TensorInput } from '../protocol/messages';
import { PASSES, type Pass, type Shape, type Tensor, type TensorName } from '../protocol/problem';
import { shapeSize } from '../protocol/shapes';
import type { MainModule } from '../wasm/module';
import { textOf } from '../wasm/text';
import { biasShape, type Problem } from './answerer';
import { checkDySource, needsOutput, writeDy } from './dy';
import { type OnProgress, Progress } from './progress';

const REQUEST_FIELDS = ['type', 'desc', 'x', 'w', 'b', 'dy', 'passes', 'algorithms'];

/** The tensor that a pass makes. */
export const OUTPUTS = {
  forward: 'y',
  backward_data: 'dx',
  backward_weights: 'dw',
  backward_bias: 'db',
} as const satisfies Record<Pass, TensorName>;

export function outputShape(problem: Problem, pass: Pass): Shape {
  if (pass === 'forward') return problem.y_shape;
  if (pass === 'backward_data') return problem.x_shape;
  return pass === 'backward_weights' ? problem.w_shape : biasShape(problem);
}

/** Checks the kinds of everything in a request, before anything of the session is touched. */
function checkRequest(module: MainModule, request: ComputeRequest): void {
  checkFields(request, request.hidden ? [...REQUEST_FIELDS, 'hidden'] : REQUEST_FIELDS, 'the request');
  for (const name of ['x', 'w', 'b'] as const) {
    if (request[name] !== 'resident' && !(name === 'b' && request.b === null)) checkFloats(request[name], name);
  }
  checkDySource(request.dy);
  for (const pass of checkList(request.passes, 'passes')) checkMember(module.Pass, pass, 'passes');
  for (const [pass, algorithm] of Object.entries(request.algorithms)) {
    checkMember(module.Pass, pass, 'algorithms');
    checkText(algorithm, `algorithms.${pass}`);
  }
}

/** Sets the problem. When it throws, the session still holds the one before. */
export function setProblem(module: MainModule, heap: SessionHeap, request: ComputeRequest): Problem {
  checkRequest(module, request);
  const resolved = heap.session.set_problem(embindDesc(module, request.desc));
  heap.must(resolved.status);
  const { x_shape, w_shape, y_shape } = resolved;
  return { geometry: plainGeometry(module, resolved.geometry), x_shape, w_shape, y_shape };
}

function writeInputs(heap: SessionHeap, problem: Problem, request: ComputeRequest): void {
  const inputs: readonly (readonly ['x' | 'w' | 'b', TensorInput | null, Shape])[] = [
    ['x', request.x, problem.x_shape],
    ['w', request.w, problem.w_shape],
    ['b', request.b, biasShape(problem)],
  ];
  // All lengths before the first write, so that a refused request leaves the resident tensors as they were.
  for (const [name, input, shape] of inputs) {
    if (input !== null) checkLength(input === 'resident' ? heap.length(name) : input.length, shapeSize(shape), name);
  }
  for (const [name, input] of inputs) {
    if (input === null) heap.release(name);
    else if (input !== 'resident') heap.write(name, input);
  }
}

function algorithmsOf(module: MainModule, heap: SessionHeap, pass: Pass): AlgorithmInfo[] {
  return heap.session.algorithms(module.Pass[pass]).map((row) => ({
    ...row,
    name: textOf(row.name),
    description: textOf(row.description),
    reason: textOf(row.reason),
  }));
}

/** Everything of a request on the problem that `setProblem` has set. */
export function computeProblem(
  module: MainModule,
  heap: SessionHeap,
  problem: Problem,
  request: ComputeRequest,
  onProgress: OnProgress,
): Omit<ComputeResult, 'revision'> {
  writeInputs(heap, problem, request);
  const wanted = PASSES.filter((pass) => request.passes.includes(pass));
  const forwardFirst = needsOutput(request.dy) || wanted.includes('forward');
  const progress = new Progress(wanted.length + 1 + Number(needsOutput(request.dy)), onProgress);
  const runs: Partial<Record<Pass, RunReport>> = {};
  const runPass = (pass: Pass): void => {
    runs[pass] = progress.part(pass, (step) => heap.run(pass, request.algorithms[pass] ?? '', step));
  };
  if (forwardFirst) runPass('forward');
  const loss = progress.part('dy', () => writeDy(module, heap, request.dy, problem.y_shape));
  for (const pass of wanted) if (pass !== 'forward') runPass(pass);

  const tensors: Partial<Record<TensorName, Tensor>> = { dy: heap.read('dy', problem.y_shape) };
  const algorithms: Partial<Record<Pass, readonly AlgorithmInfo[]>> = {};
  for (const pass of wanted) {
    tensors[OUTPUTS[pass]] = heap.read(OUTPUTS[pass], outputShape(problem, pass));
    algorithms[pass] = algorithmsOf(module, heap, pass);
  }
  heap.release('result');
  return {
    type: 'compute',
    geometry: problem.geometry,
    input_stats: { x: heap.stats('x'), w: heap.stats('w'), b: request.b === null ? null : heap.stats('b') },
    tensors,
    loss,
    runs,
    algorithms,
  };
}
