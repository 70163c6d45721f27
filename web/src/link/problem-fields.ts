import {
  COUNTS,
  type ConvDesc,
  type CountName,
  KIND_OF,
  PADDING_MODES,
  PASSES,
  type Pass,
  type Shape,
  SIDES,
} from '../protocol/problem';
import { shapeOf, shapeSize, wShape, xShape, yShape } from '../protocol/shapes';
import { PARTS, perCount, SIZE_PARTS, SIZES, type Size, type SizePart } from '../protocol/size-table';
import { pairText, parseCount, parsePair } from '../sources/exact-text';
import type { GeneratedInput } from '../sources/generators';
import { generated, type InputTensor, isGenerated } from '../sources/inputs';
import { argumentOf, arrayOf, given, LOSS_WORDS, lossFault, readLoss, wordOf } from '../sources/loss';
import { LOSS_TEXTS } from '../sources/loss-menu';
import { readTensorSource, type TensorSource, tensorEntry } from '../sources/tensor-sources';
import { inputOf, problemOfLayer, shownLayer } from '../state/problem';
import { type Field, type FieldWriter, INPUT_KEYS, type LinkContent, type LinkInput, type PartialLink } from './field';
import { decodeValues, encoded, encodeValues, MOST_VALUES, nameText, parseName } from './text';

/** Sizes of a problem (size-table.ts). Common sizes are always written, so that a link can be read and edited by hand. */

const WHOLE = 'a whole number';
const PAIR = 'a whole number, or two joined by x';
const PADDING = 'valid, same, full, a number, or four numbers (top,bottom,left,right)';

/** The description of a convolution that is written alone. */
const descIn = ({ problem }: LinkContent): ConvDesc => shownLayer(problem, null).desc;

const count = (key: CountName, { omit, initial, also }: Size['link']): Field => ({
  key,
  ...(also ? { also } : {}),
  write(state) {
    // h, w and c are those of x.
    const value = { ...descIn(state), ...state.problem.input }[key];
    return omit && value === initial ? null : String(value);
  },
  read(text, { sizes }) {
    const value = parseCount(text);
    if (value === null) return WHOLE;
    sizes[key] = value;
    return null;
  },
});

const axes = (
  key: string,
  rows: CountName,
  cols: CountName,
  { also = [], omit, initial, read: old }: Size['link'],
): Field => ({
  key,
  also,
  write(state) {
    const desc = descIn(state);
    const text = pairText(desc[rows], desc[cols]);
    return key === old || (omit && text === String(initial)) ? null : text;
  },
  read(text, { sizes }) {
    const read = parsePair(text);
    if (!read) return PAIR;
    [sizes[rows], sizes[cols]] = read;
    return null;
  },
});

const padding: Field = {
  key: PARTS.padding.link.key,
  also: PARTS.padding.link.also,
  write(state) {
    const desc = descIn(state);
    if (desc.padding_mode !== 'explicit_sides') return desc.padding_mode;
    const sides = SIDES.map((side) => desc.padding[side]);
    return new Set(sides).size === 1 ? String(sides[0]) : sides.join(',');
  },
  read(text, { sizes }) {
    const mode = PADDING_MODES.find((candidate) => candidate === text && candidate !== 'explicit_sides');
    const sides = text.split(',').map(parseCount);
    const [top = null, bottom = top, left = top, right = top] = sides;
    if (!mode && (top === null || bottom === null || left === null || right === null)) return PADDING;
    if (!mode && sides.length !== 1 && sides.length !== 4) return PADDING;
    sizes.padding_mode = mode ?? 'explicit_sides';
    if (!mode) sizes.padding = { top: top ?? 0, bottom: bottom ?? 0, left: left ?? 0, right: right ?? 0 };
    return null;
  },
};

const layout: Field = {
  key: 'layout',
  write: ({ problem: { input } }) => (input.layout === 'nhwc' ? null : input.layout),
  read(text, { sizes }) {
    if (text !== 'nhwc' && text !== 'nchw') return 'nhwc or nchw';
    sizes.layout = text;
    return null;
  },
};

function fieldsOf(part: SizePart): readonly Field[] {
  if (part === 'padding') return [padding];
  const names = COUNTS.filter((name) => SIZES[name].part === part);
  const [rows, cols] = names;
  const { link }: { link: Size['link'] } = PARTS[part];
  const paired = link.key ?? link.read;
  const own = link.key ? [] : names.map((name) => count(name, link));
  return paired && rows && cols ? [axes(paired, rows, cols, link), ...own] : own;
}

/** In the order of writing. "kernel" is only read; kh and kw win over it. */
export const SIZE_FIELDS: readonly Field[] = [
  ...[...SIZE_PARTS].sort((a, b) => PARTS[a].link.order - PARTS[b].link.order).flatMap(fieldsOf),
  layout,
];

/** Defaults of missing sizes. One size is enough for a square. */
export function withDefaults({ sizes }: Pick<PartialLink, 'sizes'>): ConvDesc {
  const initial = perCount(({ link }) => link.initial);
  const { h = initial.h, kh = initial.kh } = sizes;
  const side = PARTS.padding.link.initial;
  return {
    ...{ layout: 'nhwc', ...initial, h, w: h, kh, kw: kh },
    ...{ padding_mode: 'explicit_sides', padding: { top: side, bottom: side, left: side, right: side } },
    ...sizes,
  };
}

/** A draft with defaults for all that `own` does not have. */
export const draftOf = (own: Partial<PartialLink>): PartialLink => ({
  ...{
    sizes: {},
    desc: withDefaults({ sizes: {}, ...own }),
    tensors: {},
    loss: given({ kind: 'ones' }),
    algorithms: {},
  },
  ...{ look: {}, missing: [], knownInputs: {}, unpack: () => null },
  ...own,
});

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
function numbersText(values: Float32Array, input: LinkInput, { omit, pack }: FieldWriter): string | null {
  const packed = pack(values, input);
  if (packed !== undefined || values.length <= MOST_VALUES) return packed ?? encodeValues(values);
  omit(input);
  return null;
}

const tensor = (input: GeneratedInput, also: readonly string[] = []): Field => ({
  key: INPUT_KEYS[input],
  also,
  write({ problem }, pen) {
    const written = inputOf(problem, input);
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

const EXAMPLES: Readonly<Record<GeneratedInput, string>> = {
  x: 'ramp, random:7 or sample:portrait',
  w: 'countdown:9, random:7 or filter:blur',
  b: 'ones or random:7',
};

function readTensor(
  text: string,
  input: GeneratedInput,
  { desc: own, network, missing, knownInputs, unpack }: PartialLink,
): InputTensor | null {
  const desc = input === 'x' ? (network?.input ?? own) : own;
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
  write({ problem: { loss } }, pen) {
    const [word, values] = [wordOf(loss), arrayOf(loss)];
    const text = wordText(word, argumentOf(loss));
    if (!values) return text;
    const numbers = numbersText(values, 'dy', pen);
    return numbers === null ? `${word}~${OMITTED}` : `${text}~${numbers}`;
  },
  read(text, draft) {
    const { word, argument, values } = partsOf(text);
    const shape = draft.network?.end ?? yShape(draft.desc);
    const left = values === OMITTED ? draft.knownInputs.dy?.data : undefined;
    const omitted = values === OMITTED && left?.length !== shapeSize(shape);
    const valuesOf = (count: number) => left ?? decodeValues(values ?? '', count, draft.unpack);
    const read = readLoss(
      word,
      { argument, shape, layout: draft.desc.layout, hasValues: values !== undefined && !omitted, values: valuesOf },
      omitted,
    );
    if (!read) return listed(LOSS_WORDS.map((each) => LOSS_TEXTS[each].example));
    const fault = lossFault(read, draft.desc.layout, shape);
    if (fault) return fault.right;
    if (omitted) draft.missing.push({ input: 'dy', image: null });
    draft.loss = read;
    return null;
  },
};

const listed = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

const algorithm = (pass: Pass): Field => ({
  key: pass,
  write({ problem }) {
    const name = shownLayer(problem, null).algorithms[pass];
    return name === undefined ? null : encoded(name);
  },
  read(text, { algorithms }) {
    algorithms[pass] = text;
    return null;
  },
});

export const INPUT_FIELDS: readonly Field[] = [
  tensor('x'),
  tensor('w'),
  tensor('b', ['b']),
  dy,
  ...PASSES.map(algorithm),
];

/** The problem that was read. Defaults of missing inputs: a ramp, and a countdown to 1. */
export function problemOf({ desc, tensors, loss, algorithms, network }: PartialLink): LinkContent['problem'] {
  const weights = wShape(desc);
  const problem = problemOfLayer(desc, {
    x: tensors.x ?? generated({ kind: 'ramp', from: 0 }, 'pixels', desc.layout, xShape(network?.input ?? desc)),
    w: tensors.w ?? generated({ kind: 'countdown', from: shapeSize(weights) }, 'weights', desc.layout, weights),
    b: tensors.b ?? null,
    loss,
    algorithms,
  });
  return network ? { ...problem, ...network.layers() } : problem;
}
