import { whole } from '../trust/damaged-file';
import { textOf } from '../wasm/module';
import type { FileVerdict } from './verdict';

/** The module that judges arrays (cpp/bindings/check_module). It is loaded with the first arrays. */

/** An array of a file: row-major. `is_text`: printed as text, so that zeros may be rounded numbers. */
export interface NamedArray {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array;
  readonly is_text: boolean;
}

/** An argument of a layer: whole numbers, or a text such as "same". See conv2d_check::Argument. */
export interface NamedArgument {
  readonly name: string;
  readonly values: readonly number[];
  readonly text: string;
}

/** Judges arrays on the calling thread. `learning_rate`: a further factor that has a reason, unless 0. */
export type Judge = (
  arrays: readonly NamedArray[],
  given: readonly NamedArgument[],
  learning_rate?: number,
) => FileVerdict;

let loading: Promise<Judge> | null = null;

/** Rejects if the module cannot be loaded. */
export function loadJudge(): Promise<Judge> {
  loading ??= load().catch((cause) => {
    loading = null;
    throw cause;
  });
  return loading;
}

async function load(): Promise<Judge> {
  const { default: create } = whole(await import('../wasm/generated/check.mjs'));
  const module = await create();
  return (arrays, given, learning_rate = 0) => {
    try {
      return JSON.parse(textOf(module.judge_arrays(arrays, given, [], '', '', learning_rate)));
    } catch (thrown) {
      // A module that ran out of memory is not used again.
      loading = null;
      throw thrown;
    }
  };
}
