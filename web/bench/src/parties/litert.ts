import { type CompiledModel, loadAndCompile, loadLiteRt, type LiteRt as Runtime, Tensor } from '@litertjs/core';
import { middleIndex } from '../layout';
import { TfliteModel } from '../models/tflite';
import type { Form, Party, PartyOptions, Runner } from '../party';
import { type Case, INPUTS, inputShapes, outputShape } from '../problem';
import { type Inputs, type LitertForm, litertForms } from './litert-forms';
import { ModelSpareLanes } from './model-spare-lanes';

/** LiteRT.js, which uses XNNPACK. Runs small models that are built here and contain the weights. */
export class LiteRt implements Party {
  readonly name = 'litert';
  readonly version = '2.5.3';
  readonly #runtime: Runtime;
  readonly #threads: number;

  private constructor(runtime: Runtime, threads: number) {
    this.#runtime = runtime;
    this.#threads = threads;
  }

  static async load({ threads }: PartyOptions, folder: string): Promise<LiteRt> {
    const runtime = await loadLiteRt(`${folder}/@litertjs/core/wasm/`, { threads: threads > 1 });
    return new LiteRt(runtime, threads);
  }

  forms(problem: Case): readonly Form[] {
    return litertForms(problem).map((spec) => ({ ...spec, prepare: () => this.#prepare(problem, spec) }));
  }

  async #prepare(problem: Case, { build }: LitertForm): Promise<Runner> {
    const names = INPUTS[problem.pass];
    const shapes = inputShapes(problem.geometry);
    const model = new TfliteModel();
    const inputs = Object.fromEntries(names.map((name) => [name, model.input(shapes[name])])) as Inputs;
    const output = build(model, inputs);
    const spareLanes = new ModelSpareLanes(this.#runtime, model.weights());
    const compiled = await loadAndCompile(model.build(output), {
      accelerator: 'wasm',
      cpuOptions: { numThreads: this.#threads },
    });
    const upload = () => names.map((name) => new Tensor(problem[name], [...shapes[name]]));
    const resident = upload();
    const kernel = async () => {
      for (const result of await compiled.run(resident)) result.delete();
    };
    const note = await spareLanes.zero(kernel);
    return {
      ...(note === undefined ? {} : { note }),
      kernel,
      endToEnd: async () => {
        const fresh = upload();
        const values = await runAndRead(compiled, fresh);
        for (const tensor of fresh) tensor.delete();
        return values;
      },
      probe: async () => (await runAndRead(compiled, resident))[middleIndex(outputShape(problem))] ?? Number.NaN,
      dispose: () => {
        for (const tensor of resident) tensor.delete();
        compiled.delete();
      },
    };
  }
}

/** Runs the model and copies its only result out. */
async function runAndRead(compiled: CompiledModel, inputs: Tensor[]): Promise<Float32Array> {
  const [result] = await compiled.run(inputs);
  if (!result) throw new Error('the model has no output');
  const values = result.toTypedArray();
  result.delete();
  if (!(values instanceof Float32Array)) throw new Error('the output is not float32');
  return values;
}
