import { loadJudge } from '../engine/judge';
import { ConvFailure } from '../engine/validate';
import type { JudgeRequest } from '../protocol/judge';
import type { FileVerdict, LayerVerdict, TensorVerdict } from '../protocol/verdict';

async function load(): ReturnType<typeof loadJudge> {
  try {
    return await loadJudge();
  } catch (thrown) {
    const message = /memory/i.test(String(thrown))
      ? 'not enough memory to check the arrays. Close other tabs and try again'
      : 'the check failed to load. Check your connection and try again';
    throw new ConvFailure('module_unavailable', '', message);
  }
}

/** The verdict, with the lessons about the mistakes. */
export async function judge({ arrays, given, options }: JudgeRequest): Promise<FileVerdict> {
  const judging = await load();
  try {
    const verdict = judging(arrays, given, options);
    const withLessons = (result: string, tensor: TensorVerdict): TensorVerdict => {
      const all = (tensor.names ?? []).map((name) => judging.lessonOf(name, result));
      return { ...tensor, lessons: [...new Set(all.filter(Boolean))] };
    };
    const layers = verdict.layers.map((layer): LayerVerdict => {
      const tensors = Object.entries(layer.tensors).map(([name, tensor]) => [name, withLessons(name, tensor)]);
      return { ...layer, tensors: Object.fromEntries(tensors) };
    });
    return { ...verdict, layers };
  } catch (thrown) {
    if (!(thrown instanceof WebAssembly.RuntimeError || thrown instanceof RangeError)) throw thrown;
    // The module is compiled without exceptions: a failed allocation ends it.
    const message = 'not enough memory to check these arrays. Save fewer images, such as x[:1]';
    throw new ConvFailure('out_of_memory', '', message);
  }
}
