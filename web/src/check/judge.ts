import { whole } from '../trust/damaged-file';
import { type CheckModule, textOf } from '../wasm/module';
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

let loading: Promise<CheckModule> | null = null;

async function load(): Promise<CheckModule> {
  const { default: create } = whole(await import('../wasm/generated/check.mjs'));
  return create();
}

/**
 * Judges arrays on the calling thread. `learning_rate`: a further factor that has a reason, unless 0. Rejects if the module
 * cannot be loaded, or has not enough memory.
 */
export async function judgeArrays(
  arrays: readonly NamedArray[],
  given: readonly NamedArgument[],
  learning_rate = 0,
): Promise<FileVerdict> {
  loading ??= load();
  try {
    const module = await loading;
    return JSON.parse(textOf(module.judge_arrays(arrays, given, [], '', '', learning_rate)));
  } catch (thrown) {
    // A module that ran out of memory is not used again.
    loading = null;
    throw thrown;
  }
}
