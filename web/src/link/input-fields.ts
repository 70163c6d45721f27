import { PASSES, type Pass, type Shape } from '../protocol/problem';
import { shapeSize, wShape, xShape, yShape } from '../protocol/shapes';
import { type InputName, KIND_OF, shapeOf } from '../protocol/tensors';
import { DY_SOURCES, dyEntry } from '../sources/dy-sources';
import { DY_WORDS } from '../sources/dy-words';
import { generated, type InputTensor, isGenerated } from '../sources/inputs';
import type { TensorInput } from '../sources/tensor-entry';
import { readTensorSource, type TensorSource, tensorEntry } from '../sources/tensor-sources';
import type { Field, FieldWriter, LinkContent, PartialLink } from './field';
import { decodeValues, encodeValues, MOST_VALUES } from './payload';
import { encoded, nameText, parseName } from './text';

/**
 * Input values: the source; then "~" and the values if the source does not define them, or "~omitted" if there are too
 * many for a link. The argument of a source is defined in its entry.
 */

const OMITTED = 'omitted';
/** Prefix of the edited values of a file; values of any other source are always edited. */
const EDITED = 'edited.';

const wordText = (word: string, argument: string | undefined): string =>
  argument === undefined ? word : `${word}:${nameText(argument)}`;

/** "word:argument~values". */
function partsOf(text: string): { readonly word: string; readonly argument?: string; readonly values?: string } {
  const [head = '', values] = text.split('~', 2);
  const colon = head.indexOf(':');
  const word = colon < 0 ? head : head.slice(0, colon);
  return {
    word,
    ...(colon < 0 ? {} : { argument: parseName(head.slice(colon + 1)) }),
    ...(values === undefined ? {} : { values }),
  };
}

const sourceText = (source: TensorSource): string => {
  const [word, argument] = tensorEntry(source).write(source);
  return wordText(word, argument);
};

/** null: the values are left out. */
function numbersText(values: Float32Array, input: InputName, { omit, pack }: FieldWriter): string | null {
  const packed = pack(values, input);
  if (packed !== undefined || values.length <= MOST_VALUES) return packed ?? encodeValues(values);
  omit(input);
  return null;
}

const tensor = (key: string, input: TensorInput, also: readonly string[] = []): Field => ({
  key,
  also,
  write({ problem }, pen) {
    const written = problem[input];
    if (!written) return null;
    const { source, edited, data } = written;
    const text = sourceText(source);
    if (isGenerated(written)) return text;
    const { persisted: kept } = tensorEntry(source);
    const numbers = numbersText(data, input, pen);
    if (numbers === null) return kept ? text : `${text}~${OMITTED}`;
    return `${text}~${kept && edited ? EDITED : ''}${numbers}`;
  },
  read(text, draft) {
    const read = readTensor(text, input, draft);
    if (read) draft.tensors[input] = read;
    return read
      ? null
      : `a source such as ${EXAMPLES[input]}, with one value for each cell of ${input} if it has values`;
  },
});

const EXAMPLES: Readonly<Record<TensorInput, string>> = {
  x: 'ramp, random:7 or sample:portrait',
  w: 'countdown:9, random:7 or filter:blur',
  b: 'ones or random:7',
};

function readTensor(
  text: string,
  input: TensorInput,
  { desc, missing, knownInputs, unpack }: PartialLink,
): InputTensor | null {
  const { word, argument, values } = partsOf(text);
  const source = readTensorSource(input, word, argument);
  if (!source) return null;
  const { persisted: kept, title } = tensorEntry(source);
  const shape: Shape = shapeOf(input, desc);
  if (values === undefined || values === OMITTED) {
    const found = kept || values === OMITTED ? knownInputs[input] : undefined;
    if (found?.data.length === shapeSize(shape)) return { shape, source, ...found };
    if (source.kind === 'brought') missing.push({ input, image: null, numbers: title(source) });
    else if (kept || values === OMITTED) missing.push({ input, image: kept ? title(source) : null });
    return generated(source, KIND_OF[input], desc.layout, shape);
  }
  const changed = values.startsWith(EDITED);
  const data = decodeValues(changed ? values.slice(EDITED.length) : values, shapeSize(shape), unpack);
  return data && { shape, data, source, edited: !kept || changed };
}

const dy: Field = {
  key: 'dy',
  write({ problem: { dy: source } }, pen) {
    const { argument, values } = dyEntry(source).write(source);
    if (values === undefined) return wordText(source.kind, argument);
    const numbers = numbersText(values, 'dy', pen);
    return numbers === null ? `${source.kind}~${OMITTED}` : `${wordText(source.kind, argument)}~${numbers}`;
  },
  read(text, draft) {
    const { word, argument, values } = partsOf(text);
    const entry = DY_SOURCES.find(({ kind }) => kind === word);
    const shape = yShape(draft.desc);
    const left = values === OMITTED ? draft.knownInputs.dy?.data : undefined;
    const omitted = values === OMITTED && left?.length !== shapeSize(shape);
    const read = omitted
      ? entry?.bare()
      : entry?.read({
          argument: left ? shape.join('.') : argument,
          shape,
          hasValues: values !== undefined,
          values: (count) => left ?? decodeValues(values ?? '', count, draft.unpack),
        });
    if (!read) return listed(DY_SOURCES.map(({ kind }) => DY_WORDS[kind].example));
    const fault = dyEntry(read).fault(read, shape);
    if (fault) return fault.right;
    if (omitted) draft.missing.push({ input: 'dy', image: null });
    draft.dy = read;
    return null;
  },
};

const listed = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

const algorithm = (pass: Pass): Field => ({
  key: pass,
  write({ problem: { algorithms } }) {
    const name = algorithms[pass];
    return name === undefined ? null : encoded(name);
  },
  read(text, { algorithms }) {
    algorithms[pass] = text;
    return null;
  },
});

export const INPUT_FIELDS: readonly Field[] = [
  tensor('x', 'x'),
  // "w" is the width.
  tensor('weights', 'w'),
  tensor('bias', 'b', ['b']),
  dy,
  ...PASSES.map(algorithm),
];

/** The problem that was read. Defaults of missing inputs: a ramp, and a countdown to 1. */
export function problemOf({ desc, tensors, dy: source, algorithms }: PartialLink): LinkContent['problem'] {
  const weights = wShape(desc);
  return {
    desc,
    x: tensors.x ?? generated({ kind: 'ramp', from: 0 }, 'pixels', desc.layout, xShape(desc)),
    w: tensors.w ?? generated({ kind: 'countdown', from: shapeSize(weights) }, 'weights', desc.layout, weights),
    b: tensors.b ?? null,
    dy: source,
    algorithms,
  };
}
