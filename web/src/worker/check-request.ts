import { checkFields, checkList, checkMember, checkText } from '../engine/validate';
import type { SentLayer } from '../protocol/layers';
import type { ComputeRequest } from '../protocol/messages';
import type { MainModule } from '../wasm/module';
import { checkDySource } from './dy';

const REQUEST_FIELDS = ['type', 'input', 'x', 'layers', 'dy', 'hidden'];
const LAYER_FIELDS = ['kind', 'window', 'options', 'w', 'b', 'algorithms'];

/** Checks the types in a request, except those of its tensors, before the session is changed. Throws ConvFailure. */
export function checkRequest(module: MainModule, request: ComputeRequest): void {
  checkFields(request, REQUEST_FIELDS, 'the request');
  const { input, layers, dy, hidden } = request;
  checkFields(input, ['layout', 'n', 'h', 'w', 'c'], 'input');
  for (const layer of checkList(layers, 'layers')) {
    checkFields(layer, LAYER_FIELDS, 'a layer');
    for (const [pass, algorithm] of Object.entries((layer as SentLayer).algorithms)) {
      checkMember(module.Pass, pass, 'algorithms');
      checkText(algorithm, `algorithms.${pass}`);
    }
  }
  if (dy !== 'resident') checkDySource(dy, module.Loss);
  checkList(hidden, 'hidden');
}
