import { FILE_LIMITS } from '../protocol/file-limits';
import { decode, ELEMENTS } from './elements';
import {
  bytesIn,
  checkShape,
  countOf,
  type Format,
  type Header,
  opened,
  ReadError,
  type Source,
  viewOf,
} from './format';
import type { Literal, RecordLiteral } from './lists';
import { type Literals, recordIn } from './literal';
import type { NamedValues } from './npy';
import { argumentsIn } from './records';

/** The safetensors format: a JSON header, then the data. Only the chosen tensor is read. */

export const safetensors: Format = {
  endings: ['.safetensors'],
  // 8 bytes of header length, below 2^32, then "{".
  begins: (head) => head[8] === 0x7b && head[4] === 0 && head[5] === 0 && head[6] === 0 && head[7] === 0,
  open: async (source) => {
    const header = await readHeader(source);
    const { record, literals, start } = header;
    const tensors: Header[] = [];
    const notes: string[] = [];
    for (const [name, entry] of record.entries) {
      if (name === '__metadata__') continue;
      if (tensors.length === FILE_LIMITS.tensors)
        throw new ReadError(`it contains more than ${FILE_LIMITS.tensors} tensors, which is the limit`);
      const tensor = listOne(source, name, entry, literals, start);
      if (typeof tensor === 'string') notes.push(tensor);
      else tensors.push(tensor);
    }
    if (tensors.length === 0) throw new ReadError(notes[0] ?? 'it contains no tensors');
    const metadata = textsOf(record.entries.get('__metadata__'));
    const link = metadata.get(LINK) ?? '';
    return opened(tensors, { notes, link, given: argumentsIn(metadata) });
  },
};

/** The link of the problem, in a file of this page. */
const LINK = 'conv2d_link';

/** A .safetensors file of float32 tensors. `link`: of the problem, which an import restores. */
export function writeSafetensors(tensors: readonly NamedValues[], link = ''): Uint8Array {
  let to = 0;
  const entries = tensors.map(({ name, shape, values }) => {
    const from = to;
    to += 4 * values.length;
    return [name, { dtype: 'F32', shape, data_offsets: [from, to] }] as const;
  });
  const metadata = link === '' ? {} : { __metadata__: { [LINK]: link } };
  const header = new TextEncoder().encode(JSON.stringify({ ...metadata, ...Object.fromEntries(entries) }));
  // The data begins at a multiple of 8 bytes.
  const start = 8 + Math.ceil(header.length / 8) * 8;
  const bytes = new Uint8Array(start + to).fill(0x20, 8, start);
  bytes.set(header, 8);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(start - 8), true);
  let at = start;
  for (const { values } of tensors)
    for (const value of values) {
      view.setFloat32(at, value, true);
      at += 4;
    }
  return bytes;
}

function textsOf(metadata: Literal | undefined): ReadonlyMap<string, string> {
  const entries = metadata?.kind === 'record' ? [...metadata.entries] : [];
  return new Map(entries.flatMap(([name, value]) => (value.kind === 'text' ? [[name, value.text] as const] : [])));
}

async function readHeader(source: Source) {
  const head = await bytesIn(source, 0, Math.min(source.size, 8));
  if (head.length < 8) throw new ReadError('the file ends within the length of its header', { byte: source.size });
  const length = Number(viewOf(head).getBigUint64(0, true));
  if (length > FILE_LIMITS.header_bytes || length + 8 > source.size) {
    throw new ReadError(`a header of ${length} bytes is too long for this file or above the limit`, { byte: 0 });
  }
  const bytes = await bytesIn(source, 8, 8 + length);
  const refuse = (reason: string) => new ReadError(`the header is not valid: ${reason}`, { byte: 8 });
  const { literals, value } = recordIn(new TextDecoder().decode(bytes), refuse);
  if (literals.more()) throw refuse('no JSON object');
  return { record: value, literals, start: 8 + length };
}

/** A tensor, or a sentence if its type is not supported. */
function listOne(source: Source, name: string, entry: Literal, literals: Literals, start: number): Header | string {
  const { dtype, shape, data_offsets: offsets } = Object.fromEntries((entry as Partial<RecordLiteral>).entries ?? []);
  if (dtype?.kind !== 'text' || shape?.kind !== 'numbers' || offsets?.kind !== 'numbers') {
    throw new ReadError(`${name}: the header must contain dtype, shape and data_offsets`, { byte: 8 });
  }
  const element = ELEMENTS.get(dtype.text);
  if (!element) return `${name} has the type ${dtype.text}, which is not supported.`;
  const sizes = literals.sizes(shape);
  const [from = 0, to = 0] = literals.sizes(offsets);
  const inside = Number.isSafeInteger(from) && from >= 0 && start + to <= source.size;
  if (offsets.to - offsets.from !== 2 || !inside || to - from !== countOf(sizes) * element.bytes) {
    throw new ReadError(
      `${name}: bytes ${from} to ${to} do not hold ${sizes.join(' × ')} numbers of type ${dtype.text}`,
      {
        byte: 8,
      },
    );
  }
  const read = async () => {
    // Checked here, so that one tensor above the limit does not block the others.
    checkShape(sizes, name);
    const bytes = await bytesIn(source, start + from, start + to);
    return { name, shape: sizes, ...decode(bytes, { element, little: true, order: 'c', shape: sizes }) };
  };
  return { name, shape: sizes, stored: element.name, read };
}
