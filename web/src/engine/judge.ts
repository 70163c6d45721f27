import { whole } from '../loading/damaged-file';
import type { JudgeOptions, NamedArgument, NamedArray } from '../protocol/judge';
import type { FileVerdict } from '../protocol/verdict';
import { textOf } from '../wasm/module';

/** The module that judges arrays (cpp/bindings/check_module). It is loaded with the first arrays. */

export interface Judge {
  /** Judges arrays on the calling thread. */
  (arrays: readonly NamedArray[], given: readonly NamedArgument[], options?: JudgeOptions): FileVerdict;
  /** The step of a lesson that explains a mistake in this result; '': there is none. */
  readonly lessonOf: (mistake: string, result: string) => string;
}

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
  const judge = (
    arrays: readonly NamedArray[],
    given: readonly NamedArgument[],
    { learning_rate = 0, operands = [], owner = '', says_arguments = true }: JudgeOptions = {},
  ): FileVerdict => {
    try {
      const text = module.judge_arrays(arrays, given, operands, owner, '', learning_rate, says_arguments);
      return JSON.parse(textOf(text));
    } catch (thrown) {
      // A module that ran out of memory is not used again.
      loading = null;
      throw thrown;
    }
  };
  return Object.assign(judge, {
    lessonOf: (mistake: string, result: string) => textOf(module.lesson_of(mistake, result)),
  });
}
