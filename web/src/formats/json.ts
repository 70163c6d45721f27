import { caseOf, readCase } from './case';
import { type FileContents, opened, type Refused, refusedBecause, textFormat } from './format';
import { Literals } from './literal';
import { arraysOf } from './records';

export const json = textFormat(['.json'], readJson);

/** Reads lists of numbers, named tensors, or a case file. */
function readJson(text: string): FileContents | Refused {
  const literals = new Literals(text);
  const value = literals.literal();
  if (value && literals.more()) literals.fail('there is more text after the JSON value');
  if (literals.fault || !value) return literals.refused('it contains no JSON value');
  const record = caseOf(value);
  if (record) return readCase(record, literals);
  if (value.kind === 'record' && value.entries.has('weightsManifest')) return refusedBecause(NO_WEIGHTS);
  const found = arraysOf('', value, literals);
  return 'refusal' in found ? found : opened(found.tensors, { notes: found.notes, given: found.given });
}

const NO_WEIGHTS =
  'this is a TensorFlow.js model; its weights are in .bin files. Load it and paste JSON.stringify(w.arraySync())';
