import type { FileContents, Format, Refused, Source } from './format';

import { opened } from './in-memory';
import { isCase, readCase } from './json-case';
import { type Literal, Literals, type RecordLiteral } from './literal';
import { textOf } from './plain-text';
import { tensorsOf } from './text';

export const json: Format = {
  name: 'JSON',
  endings: ['.json'],
  begins: () => false,
  open: async (source: Source) => {
    const text = await textOf(source);
    return typeof text === 'string' ? readJson(text) : text;
  },
};

/** Reads lists of numbers, named tensors, or a case file. */
export function readJson(text: string): FileContents | Refused {
  const literals = new Literals(text);
  const value = literals.literal();
  if (value && literals.more()) literals.fail('there is more text after the JSON value');
  if (literals.fault || !value)
    return { refusal: literals.fault ?? { reason: 'it contains no JSON value', position: null } };
  if (value.kind === 'record' && isCase(value)) return readCase(value, literals);
  const tensors = tensorsOf('', value.kind === 'record' ? unwrapped(value, literals) : value, literals);
  return 'refusal' in tensors ? tensors : opened(tensors);
}

/** Turns entries such as { "shape": [2, 2], "data": [1, 2, 3, 4] } into tensors. */
function unwrapped(record: RecordLiteral, literals: Literals): RecordLiteral {
  const entries = [...record.entries].map(([name, entry]): [string, Literal] => [name, shaped(entry, literals)]);
  const own = shaped(record, literals);
  return own === record
    ? { kind: 'record', entries: new Map(entries) }
    : { kind: 'record', entries: new Map([['', own]]) };
}

function shaped(value: Literal, { numbers }: Literals): Literal {
  if (value.kind !== 'record') return value;
  const shape = value.entries.get('shape');
  const data = value.entries.get('data') ?? value.entries.get('values');
  if (shape?.kind !== 'numbers' || data?.kind !== 'numbers' || data.shape.length !== 1) return value;
  const sizes = Array.from({ length: shape.to - shape.from }, (_, axis) => numbers.at(shape.from + axis));
  return { ...data, shape: sizes };
}
