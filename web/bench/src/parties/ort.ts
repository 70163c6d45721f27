import type { InferenceSession, OrtModule, Tensor } from 'onnxruntime-web/wasm';
import { middleOf, permute, permuted } from '../layout';
import { OnnxModel, type Value } from '../models/onnx';
import { type Form, form, type Party, type PartyOptions, type Runner } from '../party';
import { type Case, type InputName, inputShapes, outputShape, type Shape4 } from '../problem';
import { onnxWays, type Way } from './ort-ways';

/** From NHWC to NCHW and back; HWIO weights to OIHW and back. */
const TO_NCHW = [0, 3, 1, 2] as const;
const TO_NHWC = [0, 2, 3, 1] as const;
const TO_OIHW = [3, 2, 0, 1] as const;
const TO_HWIO = [2, 3, 1, 0] as const;

/** ONNX Runtime Web: NCHW inside, small models that are built here. */
export class Ort implements Party {
  readonly name: string;
  readonly version: string;
  readonly #ort: OrtModule;
  readonly #training: boolean;

  constructor(ort: OrtModule, { threads }: PartyOptions, folder: string, training: boolean) {
    this.name = training ? 'ort-1.19-training' : 'ort';
    this.version = ort.env.versions.web ?? ort.env.versions.common ?? 'unknown';
    ort.env.wasm.numThreads = threads;
    ort.env.wasm.wasmPaths = `${folder}/${training ? 'onnxruntime-web-training' : 'onnxruntime-web'}/dist/`;
    ort.env.logLevel = 'error';
    this.#ort = ort;
    this.#training = training;
  }

  forms(problem: Case): readonly Form[] {
    return onnxWays(problem, this.#training).map((way) =>
      form(way.name, way.unsupported, () => this.#prepare(problem, way)),
    );
  }

  async #prepare(problem: Case, way: Way): Promise<Runner> {
    const resident = await this.#session(residentModel(problem, way), 'disabled');
    const whole = await this.#session(nhwcModel(problem, way), 'all');
    const { Tensor: OrtTensor } = this.#ort;
    const shapes = inputShapes(problem.geometry);
    const [residentName, wholeName] = [resident.outputNames[0] ?? '', whole.outputNames[0] ?? ''];
    const feeds = () =>
      Object.fromEntries(way.inputs.map((name) => [name, new OrtTensor('float32', problem[name], shapes[name])]));
    return {
      kernel: async () => {
        await resident.run({});
      },
      endToEnd: async () => floatsOf((await whole.run(feeds()))[wholeName]),
      probe: async () => floatsOf((await resident.run({}))[residentName])[0] ?? Number.NaN,
      dispose: () => {
        void resident.release();
        void whole.release();
      },
    };
  }

  #session(model: Uint8Array, graphOptimizationLevel: 'all' | 'disabled'): Promise<InferenceSession> {
    return this.#ort.InferenceSession.create(model, {
      executionProviders: ['wasm'],
      graphOptimizationLevel,
      logSeverityLevel: 3,
    });
  }
}

function floatsOf(tensor: Tensor | undefined): Float32Array {
  if (!(tensor?.data instanceof Float32Array)) throw new Error('the output is not float32');
  return tensor.data;
}

const orderBack = ({ pass }: Case) => (pass === 'backward_weights' ? TO_HWIO : TO_NHWC);

/** NCHW or OIHW shape of what the pass makes; db as [k]. */
function innerShape(problem: Case): readonly number[] {
  const shape = outputShape(problem);
  if (problem.pass === 'backward_bias') return shape.slice(3);
  return permuted(shape, problem.pass === 'backward_weights' ? TO_OIHW : TO_NCHW);
}

/**
 * ONNX Runtime copies inputs and outputs at every run. To time the operation alone, inputs are constants of the model
 * (unfolded, since nothing is optimised) and only the element in the middle of the result leaves it.
 */
function residentModel(problem: Case, way: Way): Uint8Array {
  const model = new OnnxModel();
  const result = way.build(
    model,
    inputsOf(problem, way, (name, shape) =>
      model.constant(permuted(shape, TO_NCHW), permute(problem[name], shape, TO_NCHW)),
    ),
  );
  const shape = innerShape(problem);
  return model.build(
    model.element(result, middleOf(shape)),
    shape.map(() => 1),
  );
}

/** A value for each input of the way; '' for those that it does not have. */
function inputsOf({ geometry }: Case, way: Way, make: (name: InputName, shape: Shape4) => Value) {
  const shapes = inputShapes(geometry);
  const input = (name: InputName) => (way.inputs.includes(name) ? make(name, shapes[name]) : '');
  return { x: input('x'), dy: input('dy') };
}

/** What a user of NHWC data runs: the same operation between transpositions. */
function nhwcModel(problem: Case, way: Way): Uint8Array {
  const model = new OnnxModel();
  const result = way.build(
    model,
    inputsOf(problem, way, (name, shape) => model.node('Transpose', [model.input(name, shape)], { perm: TO_NCHW })),
  );
  if (problem.pass === 'backward_bias') return model.build(result, [problem.geometry.k]);
  return model.build(model.node('Transpose', [result], { perm: orderBack(problem) }), outputShape(problem));
}
