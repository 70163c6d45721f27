import type { OrtModule, Tensor } from 'onnxruntime-web/wasm';
import { middleOf, permute, permuted } from '../layout';
import { OnnxModel, type Value } from '../models/onnx';
import type { Party, PartyOptions, Runner } from '../party';
import { type Case, type InputName, inputShapes, outputShape, type Shape4 } from '../problem';
import { type OnnxForm, onnxForms } from './ort-forms';

/** From NHWC to NCHW and back; HWIO weights to OIHW and back. */
const TO_NCHW = [0, 3, 1, 2] as const;
const TO_NHWC = [0, 2, 3, 1] as const;
const TO_OIHW = [3, 2, 0, 1] as const;
const TO_HWIO = [2, 3, 1, 0] as const;

/** ONNX Runtime Web. Runs small NCHW models that are built here. */
export function ortParty(ort: OrtModule, { threads }: PartyOptions, folder: string, training: boolean): Party {
  ort.env.wasm.numThreads = threads;
  ort.env.wasm.wasmPaths = `${folder}/${training ? 'onnxruntime-web-training' : 'onnxruntime-web'}/dist/`;
  ort.env.logLevel = 'error';
  return {
    name: training ? 'ort-1.19-training' : 'ort',
    version: ort.env.versions.web ?? ort.env.versions.common ?? 'unknown',
    forms: (problem) =>
      onnxForms(problem, training).map((spec) => ({ ...spec, prepare: () => prepare(ort, problem, spec) })),
  };
}

async function prepare(ort: OrtModule, problem: Case, spec: OnnxForm): Promise<Runner> {
  const open = (model: Uint8Array, graphOptimizationLevel: 'all' | 'disabled') =>
    ort.InferenceSession.create(model, { executionProviders: ['wasm'], graphOptimizationLevel, logSeverityLevel: 3 });
  const resident = await open(residentModel(problem, spec), 'disabled');
  const nhwc = await open(nhwcModel(problem, spec), 'all');
  const shapes = inputShapes(problem.geometry);
  const [residentName, nhwcName] = [resident.outputNames[0] ?? '', nhwc.outputNames[0] ?? ''];
  const upload = () =>
    Object.fromEntries(spec.inputs.map((name) => [name, new ort.Tensor('float32', problem[name], shapes[name])]));
  return {
    kernel: async () => {
      await resident.run({});
    },
    endToEnd: async () => floatsOf((await nhwc.run(upload()))[nhwcName]),
    probe: async () => floatsOf((await resident.run({}))[residentName])[0] ?? Number.NaN,
    dispose: () => {
      void resident.release();
      void nhwc.release();
    },
  };
}

function floatsOf(tensor: Tensor | undefined): Float32Array {
  if (!(tensor?.data instanceof Float32Array)) throw new Error('the output is not float32');
  return tensor.data;
}

const outputOrder = ({ pass }: Case) => (pass === 'backward_weights' ? TO_HWIO : TO_NHWC);

/** NCHW or OIHW shape of the pass's result; db is [k]. */
function innerShape(problem: Case): readonly number[] {
  const shape = outputShape(problem);
  if (problem.pass === 'backward_bias') return shape.slice(3);
  return permuted(shape, problem.pass === 'backward_weights' ? TO_OIHW : TO_NCHW);
}

/**
 * ONNX Runtime copies inputs and outputs in every run. To time the operation alone, this model has constant inputs and
 * outputs only the middle element of the result. Graph optimizations are disabled, so constants are not folded.
 */
function residentModel(problem: Case, spec: OnnxForm): Uint8Array {
  const model = new OnnxModel();
  const result = spec.build(
    model,
    inputsOf(problem, spec, (name, shape) =>
      model.constant(permuted(shape, TO_NCHW), permute(problem[name], shape, TO_NCHW)),
    ),
  );
  const shape = innerShape(problem);
  return model.build(
    model.element(result, middleOf(shape)),
    shape.map(() => 1),
  );
}

/** The values of the form's inputs; '' for an input that it does not have. */
function inputsOf({ geometry }: Case, spec: OnnxForm, make: (name: InputName, shape: Shape4) => Value) {
  const shapes = inputShapes(geometry);
  const input = (name: InputName) => (spec.inputs.includes(name) ? make(name, shapes[name]) : '');
  return { x: input('x'), dy: input('dy') };
}

/** The same operation with NHWC inputs and result, which are transposed in the model. */
function nhwcModel(problem: Case, spec: OnnxForm): Uint8Array {
  const model = new OnnxModel();
  const result = spec.build(
    model,
    inputsOf(problem, spec, (name, shape) => model.node('Transpose', [model.input(name, shape)], { perm: TO_NCHW })),
  );
  if (problem.pass === 'backward_bias') return model.build(result, [problem.geometry.k]);
  return model.build(model.node('Transpose', [result], { perm: outputOrder(problem) }), outputShape(problem));
}
