import { setThreadsCount, setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import * as tf from '@tensorflow/tfjs-core';
import { middleIndex } from '../layout';
import type { Party, PartyOptions, Runner } from '../party';
import { type Case, INPUTS, inputShapes, outputShape } from '../problem';
import { type Inputs, type TfjsForm, tfjsForms } from './tfjs-forms';
import { tfjsNetworkForms } from './tfjs-network';

/** TensorFlow.js with its WebAssembly backend. */
export async function loadTfjs({ threads }: PartyOptions, folder: string): Promise<Party> {
  // One thread uses the build without threads, which has no overhead of a thread pool.
  if (threads === 1) tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  setThreadsCount(threads);
  setWasmPaths(`${folder}/@tensorflow/tfjs-backend-wasm/dist/`);
  if (!(await tf.setBackend('wasm'))) throw new Error('the wasm backend could not be loaded');
  return {
    name: 'tfjs-wasm',
    version: tf.version_core,
    forms: (problem) => tfjsForms(problem).map((spec) => ({ ...spec, prepare: async () => prepare(problem, spec) })),
    networkForms: tfjsNetworkForms,
  };
}

function prepare(problem: Case, { start }: TfjsForm): Runner {
  const shapes = inputShapes(problem.geometry);
  const upload = () =>
    Object.fromEntries(INPUTS[problem.pass].map((name) => [name, tf.tensor4d(problem[name], shapes[name])])) as Inputs;
  const { weights, compute } = start();
  const resident = upload();
  const middle = middleIndex(outputShape(problem));
  // Read outside of tidy, which would search every element of the result for tensors.
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
