import type { Pass } from '../../src/protocol/problem';
import type { NetworkCase, NetworkStep } from './network';
import type { Case, NamedShape } from './problem';

/** A form that is ready to run: its models are built and its tensors uploaded. */
export interface Runner {
  /** The pass alone: inputs and weights are resident, the result is not copied out. */
  kernel(): void | Promise<void>;
  /** Copies the NHWC inputs in, runs the pass and copies the NHWC result out. Weights are resident. */
  endToEnd(): Float32Array | Promise<Float32Array>;
  /** Runs the kernel once more and reads the element in the middle of its result, to prove that it ran. */
  probe(): number | Promise<number>;
  readonly algorithm?: string;
  readonly workspaceFloats?: number;
  /** A handicap of this party that was removed before timing, with the measurement. */
  readonly note?: string;
  dispose(): void;
}

/** One implementation of a pass by a party, e.g. `flip`: backward_data as a forward pass with flipped weights. */
export interface Form {
  readonly name: string;
  /** false: the peer has no kernel for the case. */
  readonly isSupported?: boolean;
  prepare(): Promise<Runner>;
}

/** A library, or one build of this one, in the benchmark. */
export interface Party {
  readonly name: string;
  readonly version: string;
  forms(problem: Case): readonly Form[];
  /**
   * Ways to train a network; missing if the party cannot. `kernel` is a step; `endToEnd` returns the changes of the first step, `probe` its
   * loss.
   */
  networkForms?(of: NetworkCase): readonly Form[];
}

/** Makes the data of a case and computes the expected result. */
export interface Reference {
  makeCase(shape: NamedShape, pass: Pass): Case;
  expectedResult(problem: Case): Float32Array;
  expectedStep(of: NetworkCase): NetworkStep;
}

export interface PartyOptions {
  readonly threads: number;
}
