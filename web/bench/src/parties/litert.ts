import { type CompiledModel, type LiteRt, loadAndCompile, loadLiteRt, Tensor } from '@litertjs/core';
import { middleIndex } from '../layout';
import { TfliteModel } from '../models/tflite';
import type { Party, PartyOptions, Runner } from '../party';
import { type Case, INPUTS, inputShapes, outputShape } from '../problem';
import { type Inputs, type LitertForm, litertForms } from './litert-forms';
import { ModelSpareLanes } from './model-spare-lanes';

/** LiteRT.js, which uses XNNPACK. Runs small models that are built here and contain the weights. */
export async function loadLiteRtParty({ threads }: PartyOptions, folder: string): Promise<Party> {
  const runtime = await loadLiteRt(`${folder}/@litertjs/core/wasm/`, { threads: threads > 1 });
  return {
    name: 'litert',
    version: '2.5.3',
    forms: (problem) =>
      litertForms(problem).map((spec) => ({ ...spec, prepare: () => prepare(runtime, threads, problem, spec) })),
  };
}

async function prepare(runtime: LiteRt, threads: number, problem: Case, { build }: LitertForm): Promise<Runner> {
  const names = INPUTS[problem.pass];
  const shapes = inputShapes(problem.geometry);
  const model = new TfliteModel();
  const inputs = Object.fromEntries(names.map((name) => [name, model.input(shapes[name])])) as Inputs;
  const output = build(model, inputs);
  const spareLanes = new ModelSpareLanes(runtime, model.weights());
  const cpuOptions = { numThreads: threads };
  const compiled = await loadAndCompile(model.build(output), { accelerator: 'wasm', cpuOptions });
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

/** Runs the model and copies its only result out. */
async function runAndRead(compiled: CompiledModel, inputs: Tensor[]): Promise<Float32Array> {
  const [result] = await compiled.run(inputs);
  if (!result) throw new Error('the model has no output');
  const values = result.toTypedArray();
  result.delete();
  if (!(values instanceof Float32Array)) throw new Error('the output is not float32');
  return values;
}
