import { setThreadsCount, setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import * as tf from '@tensorflow/tfjs-core';
import { middleIndex } from '../layout';
import { type Form, form, type Party, type PartyOptions, type Runner } from '../party';
import { type Case, INPUTS, inputShapes, outputShape } from '../problem';
import { type Inputs, tfjsWays, type Way } from './tfjs-ways';

/** TensorFlow.js with its WebAssembly backend. */
export class Tfjs implements Party {
  readonly name = 'tfjs-wasm';
  readonly version = tf.version_core;

  private constructor() {}

  static async load({ threads }: PartyOptions, folder: string): Promise<Tfjs> {
    // With one thread, the build without threads: a pool of one would only add its calls.
    if (threads === 1) tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
    setThreadsCount(threads);
    setWasmPaths(`${folder}/@tensorflow/tfjs-backend-wasm/dist/`);
    if (!(await tf.setBackend('wasm'))) throw new Error('the wasm backend could not be loaded');
    return new Tfjs();
  }

  forms(problem: Case): readonly Form[] {
    return tfjsWays(problem).map((way) => form(way.name, way.unsupported, async () => prepare(problem, way)));
  }
}

function prepare(problem: Case, { start }: Way): Runner {
  const shapes = inputShapes(problem.geometry);
  const upload = () =>
    Object.fromEntries(INPUTS[problem.pass].map((name) => [name, tf.tensor4d(problem[name], shapes[name])])) as Inputs;
  const { weights, compute } = start();
  const resident = upload();
  const middle = middleIndex(outputShape(problem));
  // Read outside of tidy, which would look for tensors in every element of the result.
  const read = (inputs: () => Inputs): Float32Array => {
    const result = tf.tidy(() => compute(inputs()));
    const values = result.dataSync() as Float32Array;
    result.dispose();
    return values;
  };
  return {
    kernel: () => tf.tidy(() => compute(resident)).dispose(),
    endToEnd: () => read(upload),
    probe: () => read(() => resident)[middle] ?? Number.NaN,
    dispose: () => tf.dispose([{ ...resident }, weights]),
  };
}
