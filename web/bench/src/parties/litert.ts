import { type CompiledModel, loadAndCompile, loadLiteRt, type LiteRt as Runtime, Tensor } from '@litertjs/core';
import { middleIndex } from '../layout';
import { TfliteModel } from '../models/tflite';
import { type Form, form, type Party, type PartyOptions, type Runner } from '../party';
import { type Case, INPUTS, inputShapes, outputShape } from '../problem';
import { type Inputs, litertWays, type Way } from './litert-ways';
import { SpareLanesOf } from './spare-lanes-of';

/** LiteRT.js: XNNPACK behind small models that are built here; the weights are part of a model. */
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
    return litertWays(problem).map((way) => form(way.name, way.unsupported, () => this.#prepare(problem, way)));
  }

  async #prepare(problem: Case, { build }: Way): Promise<Runner> {
    const names = INPUTS[problem.pass];
    const shapes = inputShapes(problem.geometry);
    const model = new TfliteModel();
    const inputs = Object.fromEntries(names.map((name) => [name, model.input(shapes[name])])) as Inputs;
    const output = build(model, inputs);
    const spare = new SpareLanesOf(this.#runtime, model.weights());
    const compiled = await loadAndCompile(model.build(output), {
      accelerator: 'wasm',
      cpuOptions: { numThreads: this.#threads },
    });
    const upload = () => names.map((name) => new Tensor(problem[name], [...shapes[name]]));
    const resident = upload();
    const kernel = async () => {
      for (const result of await compiled.run(resident)) result.delete();
    };
    const note = await spare.mend(kernel);
    return {
      ...(note === undefined ? {} : { note }),
      kernel,
      endToEnd: async () => {
        const fresh = upload();
        const values = await readOnly(compiled, fresh);
        for (const tensor of fresh) tensor.delete();
        return values;
      },
      probe: async () => (await readOnly(compiled, resident))[middleIndex(outputShape(problem))] ?? Number.NaN,
      dispose: () => {
        for (const tensor of resident) tensor.delete();
        compiled.delete();
      },
    };
  }
}

/** The one result of a run, copied out. */
async function readOnly(compiled: CompiledModel, inputs: Tensor[]): Promise<Float32Array> {
  const [result] = await compiled.run(inputs);
  if (!result) throw new Error('the model has no output');
  const values = result.toTypedArray();
  result.delete();
  if (!(values instanceof Float32Array)) throw new Error('the output is not float32');
  return values;
}
