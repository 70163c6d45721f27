import {
  faultOf,
  isLayerKind,
  isWeighted,
  LAYER_KINDS,
  type LayerKind,
  type LayerOf,
  layerTitle,
  outputOf,
  type PlainLayer,
  windowOf,
} from '../layers/list';
import { layerView, newFields } from '../layers/views';
import { MOST_LAYERS, ownerOf, type PlaneSizes, shapeOfSizes } from '../protocol/layers';
import type { ConvDesc, ConvError, Hidden, NetworkTensor, Shape } from '../protocol/problem';
import { type Work, workOf, wShape } from '../protocol/shapes';
import { parseCount } from '../sources/exact-text';
import { generated } from '../sources/inputs';
import { type Layer, partsOfDesc, sizesOf, type WeightedLayer } from '../state/problem';
import {
  type Complain,
  type Field,
  type FieldTexts,
  type FieldWriter,
  INPUT_KEYS,
  type LinkContent,
  type LinkTexts,
  networkFields,
  type PartialLink,
  writeFields,
} from './field';
import { LOOK_FIELDS } from './look-fields';
import { draftOf, INPUT_FIELDS, SIZE_FIELDS, withDefaults } from './problem-fields';
import { decoded, quoted } from './text';

/**
 * The layers of a problem with several:
 *   layers=3&layer.1=conv;kh:3;kw:3;stride:1;padding:0;weights:random:3&layer.2=relu&layer.3=max_pool;kernel:2;stride:2
 * A convolution has the fields of a problem of one layer, other kinds the rows of their view, and weights and bias if they have some. Without `layers`, the number that is missing is that of a convolution with its
 * fields at the top of the link, which is shown: `h=12&kh=3&layer.2=relu`. This module is loaded with the first network.
 */

/** "max_pool;kernel:2;stride:2" */
const textOf = (kind: LayerKind, parts: FieldTexts): string => [kind, ...parts.map((part) => part.join(':'))].join(';');

const OF_INPUT: ReadonlySet<string> = new Set(['n', 'h', 'w', 'c', 'layout', 'x', 'dy']);
const isOfLayer = ({ key }: Field): boolean => !OF_INPUT.has(key);
const CONV_SIZES = SIZE_FIELDS.filter(isOfLayer);
const CONV_INPUTS = INPUT_FIELDS.filter(isOfLayer);
const CONV_FIELDS = [...CONV_SIZES, ...CONV_INPUTS];
const WEIGHT_FIELDS = CONV_INPUTS.filter(({ key }) => key === INPUT_KEYS.w || key === INPUT_KEYS.b);

/** The fields of weights, bias and algorithms. */
const inputsOf = (kind: string): readonly Field[] => (kind === 'conv' ? CONV_INPUTS : WEIGHT_FIELDS);

const count: Field = {
  key: 'layers',
  write: ({ problem }) => String(problem.layers.length),
  read(text) {
    const number = parseCount(text);
    return number && number <= MOST_LAYERS ? null : `the number of layers, at most ${MOST_LAYERS}`;
  },
};

const list: Field = {
  key: 'layer.',
  write: (state, pen) =>
    state.problem.layers.map((layer, i) => [`layer.${i + 1}`, layerText(layer, i + 1, state, pen)] as const),
  read: () => null,
};

const fields = [
  ...SIZE_FIELDS.filter((field) => !isOfLayer(field)),
  ...[count, list],
  ...INPUT_FIELDS.filter((field) => !isOfLayer(field)),
  ...LOOK_FIELDS,
];

function layerText(layer: Layer, number: number, { problem, look }: LinkContent, pen: FieldWriter): string {
  const parts = [
    ...(layer.kind === 'conv' ? [] : rowParts(layer.kind, layer.fields)),
    ...(isWeighted(layer) ? weightedParts(layer, number, { problem, look }, pen) : []),
  ];
  // The text is decoded as a whole first.
  return textOf(layer.kind, parts).replaceAll('%', '%25');
}

/** The weights; of a convolution also its sizes. */
function weightedParts(
  layer: WeightedLayer,
  number: number,
  { problem, look }: LinkContent,
  pen: FieldWriter,
): FieldTexts {
  const input = sizesOf(problem)[number - 1] ?? problem.input;
  const state = { problem: { ...problem, input, layers: [layer] }, look };
  const own: FieldWriter = {
    omit: (input) => pen.omit(`${input as 'w' | 'b'}${number}`),
    pack: (values, input) => pen.pack(values, `${input as 'w' | 'b'}${number}`),
  };
  return writeFields([...(layer.kind === 'conv' ? CONV_SIZES : []), ...inputsOf(layer.kind)], state, own);
}

const rowParts = (kind: LayerKind, fields: unknown): FieldTexts =>
  layerView(kind).rows.flatMap(({ key, write: textOf }) => {
    const text = textOf(fields);
    return text === null ? [] : [[key, text] as const];
  });

const CONV_EXAMPLE = 'conv;kh:3;kw:3;stride:1;padding:0;weights:random:3';
const EXAMPLES = LAYER_KINDS.map((kind) =>
  kind === 'conv' ? CONV_EXAMPLE : textOf(kind, rowParts(kind, newFields(kind))),
);
const RIGHT = `a layer such as ${EXAMPLES.slice(0, -1).join(', ')} or ${EXAMPLES.at(-1)}`;

/** A layer that was read as text: its sizes, and its weights as text. */
type Read = { readonly texts: LinkTexts } & (
  | { readonly kind: 'conv'; readonly sizes: PartialLink['sizes'] }
  | { readonly kind: Exclude<LayerKind, 'conv'>; readonly fields: unknown }
);

function partsOf(text: string): { readonly kind: string; readonly texts: LinkTexts } | null {
  const [kind = '', ...rest] = text.split(';');
  const texts = new Map<string, string>();
  for (const part of rest) {
    const colon = part.indexOf(':');
    const value = colon < 0 ? null : decoded(part.slice(colon + 1));
    if (value === null) return null;
    texts.set(part.slice(0, colon), value);
  }
  return { kind, texts };
}

function readLayer(text: string): Read | null {
  const parts = partsOf(text);
  if (!parts) return null;
  const { kind, texts } = parts;
  if (!isLayerKind(kind)) return null;
  if (kind !== 'conv') return readRows(kind, texts);
  const draft = draftOf({});
  if ([...texts.keys()].some((name) => CONV_FIELDS.every(({ key }) => key !== name))) return null;
  const isRead = CONV_SIZES.every((field) => readField(field, texts, draft) === null);
  return isRead ? { kind: 'conv', sizes: draft.sizes, texts } : null;
}

/** What must be in place of the text, if it is not valid; null: valid or missing. */
const readField = ({ key, read }: Field, texts: LinkTexts, draft: PartialLink): string | null => {
  const text = texts.get(key);
  return text === undefined ? null : read(text, draft, key);
};

function readRows(kind: Exclude<LayerKind, 'conv'>, texts: LinkTexts): Read | null {
  const { rows } = layerView(kind);
  const known = [...rows, ...(isWeighted({ kind }) ? WEIGHT_FIELDS : [])];
  if ([...texts.keys()].some((key) => known.every((row) => row.key !== key))) return null;
  let fields = {};
  for (const { key, read: parse } of rows) {
    const own = parse(texts.get(key), fields);
    if (!own) return null;
    fields = { ...fields, ...own };
  }
  return { kind, fields, texts };
}

/** The layers by number; null: one that cannot be read. */
function readAll(texts: LinkTexts, most: number, complain: Complain): ReadonlyMap<number, Read | null> {
  const found = new Map<number, Read | null>();
  for (const [key, text] of texts) {
    if (!key.startsWith('layer.')) continue;
    const number = parseCount(key.slice('layer.'.length));
    const fits = number !== null && number >= 1 && number <= MOST_LAYERS && found.size < most;
    const layer = fits ? readLayer(text) : null;
    if (fits) found.set(number, layer);
    const right = fits ? RIGHT : `one of at most ${MOST_LAYERS} layers`;
    if (!layer) complain(`${key} is ${quoted(text)} in the link, but must be ${right}; it was ignored.`);
  }
  return found;
}

/** The sizes of the layers that can be read, or the error of one that does not fit. */
function sized(layers: readonly (readonly [number, Read])[], input: PlaneSizes): readonly Sized[] | ConvError {
  const all: Sized[] = [];
  let sizes = input;
  for (const [number, read] of layers) {
    const fields = read.kind === 'conv' ? partsOfDesc(withDefaults(read)).fields : read.fields;
    const layer = { kind: read.kind, fields, w: null, b: null } as LayerOf<null>;
    const fault = faultOf(layer, sizes);
    if (fault) return { ...fault, message: `layer ${number} (${layerTitle(layer)}): ${fault.message}` };
    const desc = isWeighted(layer) ? windowOf(layer, sizes) : null;
    sizes = outputOf(layer, sizes);
    all.push({ number, layer, desc, end: shapeOfSizes(sizes), texts: read.texts });
  }
  return all;
}

/** Reads the sizes of all layers; the weights are read when the cost is known. */
function read(draft: PartialLink, texts: LinkTexts, complain: Complain): ConvError | null {
  const isList = texts.has('layers');
  const found = readAll(texts, isList ? MOST_LAYERS : MOST_LAYERS - 1, complain);
  const numbers = Array.from({ length: MOST_LAYERS }, (_, i) => i + 1);
  const top = isList ? 0 : numbers.find((number) => !found.has(number));
  for (const number of numbers)
    if (number <= Number(texts.get('layers')) && !found.has(number))
      complain(`layer.${number} is missing in the link.`);
  for (const { key } of CONV_FIELDS)
    if (isList && texts.has(key))
      complain(`${key} in the link is that of a layer, and was ignored: write it as a part of layer.1.`);
  const layers = numbers.flatMap((number) => {
    const layer = number === top ? { kind: 'conv' as const, sizes: draft.sizes, texts } : found.get(number);
    return layer ? [[number, layer] as const] : [];
  });
  if (layers.length < (isList ? 1 : 2)) return null;
  const input = draft.desc;
  const { input: inputSizes } = partsOfDesc(input);
  const all = sized(layers, inputSizes);
  if ('code' in all) return all;
  const convolutions = all.filter(({ layer }) => layer.kind === 'conv');
  const at = (number: number) => convolutions.find((layer) => layer.number === number);
  const shown = at(Number(texts.get('layer') ?? top)) ?? convolutions[0];
  const end = all.at(-1)?.end;
  if (!shown?.desc || !end) return { code: 'invalid_argument', field: '', message: 'a network needs a convolution' };
  draft.desc = shown.desc;
  if (top && shown !== convolutions[0]) draft.look.layer = all.indexOf(shown);
  const { w, b, ...others } = draft.knownInputs;
  const known = top ? { ...(w && { [`w${top}`]: w }), ...(b && { [`b${top}`]: b }), ...others } : others;
  const works = all.flatMap(({ desc }) => (desc ? [workOf(desc)] : []));
  const sum = (measure: keyof Work) => works.reduce((total, work) => total + work[measure], 0);
  draft.network = {
    ...{ input, end },
    parseCell: (text) => parseCell(text, all.length),
    work: { multiply_adds: sum('multiply_adds'), bytes: sum('bytes'), cells: sum('cells') },
    layers: () => ({
      input: inputSizes,
      layers: all.map((layer) => complete(layer, { ...draft, knownInputs: known }, complain)),
    }),
  };
  return null;
}

function parseCell(text: string, layers: number): Hidden | null {
  const [tensor = '', digits, ...more] = text.split('.');
  const index = digits === undefined ? null : parseCount(digits);
  const isCell = more.length === 0 && (digits === undefined || index !== null);
  return isCell && ownerOf(tensor, layers) ? { tensor: tensor as NetworkTensor, index } : null;
}

interface Sized {
  readonly number: number;
  readonly layer: LayerOf<null>;
  /** As windowOf; null: no weights. */
  readonly desc: ConvDesc | null;
  /** The shape of its output. */
  readonly end: Shape;
  readonly texts: LinkTexts;
}

/** The layer with its weights. */
function complete({ number, layer, desc, texts }: Sized, draft: PartialLink, complain: Complain): Layer {
  if (!isWeighted(layer) || !desc) return { kind: layer.kind, fields: layer.fields } as PlainLayer;
  const { [`w${number}` as const]: w, [`b${number}` as const]: b } = draft.knownInputs;
  const own = draftOf({ desc, unpack: draft.unpack, knownInputs: { ...(w && { w }), ...(b && { b }) } });
  for (const field of inputsOf(layer.kind)) {
    own.desc = field.key === INPUT_KEYS.b ? { ...desc, k: layer.fields.k } : desc;
    const right = readField(field, texts, own);
    const text = quoted(texts.get(field.key) ?? '');
    if (right)
      complain(`${field.key} of layer.${number} is ${text} in the link, but must be ${right}; it was ignored.`);
  }
  for (const missing of own.missing)
    draft.missing.push({ ...missing, input: `${missing.input as 'w' | 'b'}${number}` });
  const { tensors, algorithms } = own;
  return {
    ...{ ...layer, algorithms },
    ...{ w: tensors.w ?? defaultWeights(desc), b: tensors.b ?? null },
  };
}

/** As of a problem. */
const defaultWeights = (desc: ConvDesc) => {
  const shape = wShape(desc);
  const from = shape.reduce((cells, size) => cells * size, 1);
  return generated({ kind: 'countdown', from }, 'weights', desc.layout, shape);
};

networkFields.code = { fields, read };
