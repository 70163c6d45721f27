import { ConvFailure } from '../engine/validate';
import type { FileVerdict, JudgeRequest, LayerVerdict, TensorVerdict } from '../protocol/judge';
import { type CheckModule, textOf } from '../wasm/module';

/** The verdict of the library as it sends it. */
type PlainVerdict = Omit<FileVerdict, 'layers'> & {
  readonly layers: readonly (Omit<LayerVerdict, 'tensors'> & {
    readonly tensors: Readonly<Record<string, Omit<TensorVerdict, 'lessons'>>>;
  })[];
};

async function load(): Promise<CheckModule> {
  try {
    return await (await import('../wasm/generated/check.mjs')).default();
  } catch (thrown) {
    const message = /memory/i.test(String(thrown))
      ? 'not enough memory to check the arrays. Close other tabs and try again'
      : 'the check failed to load. Check your connection and try again';
    throw new ConvFailure('module_unavailable', '', message);
  }
}

/** Judges the arrays with a new instance of the module "check", and so with its own memory. */
export async function judge(request: JudgeRequest): Promise<FileVerdict> {
  const module = await load();
  const { arrays, operands, owner, says_arguments } = request;
  let text: string;
  try {
    text = textOf(module.judge_arrays(arrays, request.arguments, operands, owner, says_arguments, ''));
  } catch (thrown) {
    if (!(thrown instanceof WebAssembly.RuntimeError || thrown instanceof RangeError)) throw thrown;
    // The module is compiled without exceptions: a failed allocation ends it.
    throw new ConvFailure(
      'out_of_memory',
      '',
      'not enough memory to check these arrays. Save fewer images, such as x[:1]',
    );
  }
  const plain = JSON.parse(text) as PlainVerdict;
  const lessonsOf = (result: string, names: readonly string[]): string[] => [
    ...new Set(names.map((name) => textOf(module.lesson_of(name, result))).filter(Boolean)),
  ];
  const layers = plain.layers.map((layer) => {
    const tensors = Object.entries(layer.tensors).map(([name, tensor]) => [
      name,
      { ...tensor, lessons: lessonsOf(name, tensor.names ?? []) },
    ]);
    return { ...layer, tensors: Object.fromEntries(tensors) as LayerVerdict['tensors'] };
  });
  return { ...plain, layers };
}
