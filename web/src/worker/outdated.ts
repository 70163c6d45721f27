import type { ComputeRequest, ComputeResult, DySource } from '../protocol/messages';
import { type ConvDesc, PASSES, type Pass, type TensorName } from '../protocol/problem';
import { needsOutput } from './dy';

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
