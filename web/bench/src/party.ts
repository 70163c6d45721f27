import type { Pass } from '../../src/protocol/problem';
import type { Case, NamedShape } from './problem';

/** One way of computing a case, made ready: models built, tensors where the party keeps them. */
export interface Runner {
  /** The pass alone: inputs and weights are resident, the result stays where the party makes it. */
  kernel(): void | Promise<void>;
  /** What a user of NHWC data waits for: inputs copied in, the pass, the NHWC result copied out. Weights are resident. */
  endToEnd(): Float32Array | Promise<Float32Array>;
  /** Runs the kernel once more and reads the element in the middle of its result, to prove that it ran. */
  probe(): number | Promise<number>;
  readonly algorithm?: string;
  readonly workspaceFloats?: number;
  /** What was in the way of this party and was put right, with its evidence. */
  readonly note?: string;
  dispose(): void;
}

/** A way of computing a case, e.g. `flip`: backward_data as a forward pass with turned weights. */
export interface Form {
  readonly name: string;
  /** Why this way does not exist for the case. */
  readonly unsupported?: string;
  prepare(): Promise<Runner>;
}

export interface Party {
  readonly name: string;
  readonly version: string;
  forms(problem: Case): readonly Form[];
}

/** Who makes the data and knows the right results. */
export interface Judge {
  makeCase(shape: NamedShape, pass: Pass): Case;
  reference(problem: Case): Float32Array;
}

export interface PartyOptions {
  readonly threads: number;
}

/** A form that exists exactly when `unsupported` is empty. */
export function form(name: string, unsupported: string, prepare: () => Promise<Runner>): Form {
  return unsupported ? { name, unsupported, prepare } : { name, prepare };
}
