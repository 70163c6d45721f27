import {
  faultOf,
  isLayerKind,
  isPlain,
  LAYER_KINDS,
  type LayerKind,
  type LayerOf,
  layerTitle,
  outputOf,
  type PlainKind,
  type PlainLayer,
  plainLayer,
} from '../layers/list';
import { layerView, newPlain } from '../layers/views';
import { descOn, MOST_LAYERS, ownerOf, type PlaneSizes, shapeOfSizes } from '../protocol/layers';
import type { ConvDesc, ConvError, Hidden, NetworkTensor } from '../protocol/problem';
import { type Work, workOf, wShape } from '../protocol/shapes';
import { parseCount } from '../sources/exact-text';
import { generated } from '../sources/inputs';
import { type ConvLayer, type Layer, type Problem, partsOfDesc, sizesOf } from '../state/problem';
import {
  type Complain,
  type Field,
  type FieldTexts,
  type FieldWriter,
  type LinkContent,
  type LinkTexts,
  networkFields,
  type PartialLink,
  writeFields,
} from './field';
import { draftOf, INPUT_FIELDS, SIZE_FIELDS, withDefaults } from './problem-fields';
import { decoded, quoted } from './text';

/**
 * The layers beside the open one:
 *   layer.2=relu&layer.3=max_pool;kernel:2;stride:2&layer.4=conv;kh:3;kw:3;stride:1;padding:0;weights:random:3
 * The open layer has the number that is missing. A convolution has the fields of a problem. h, w and c are those of the network's input.
 * This module is loaded with the first network.
 */

/** "max_pool;kernel:2;stride:2" */
const textOf = (kind: LayerKind, parts: FieldTexts): string => [kind, ...parts.map((part) => part.join(':'))].join(';');

/** Sizes that follow from the layer before. */
const FOLLOWING: ReadonlySet<string> = new Set(['n', 'h', 'w', 'c', 'layout']);
const CONV_SIZES = SIZE_FIELDS.filter(({ key }) => !FOLLOWING.has(key));
const CONV_INPUTS = INPUT_FIELDS.filter(({ key }) => !['layer.', 'x', 'dy'].includes(key));
const CONV_FIELDS = [...CONV_SIZES, ...CONV_INPUTS];

const write = ({ problem, look }: LinkContent, pen: FieldWriter): FieldTexts =>
  problem.layers.flatMap((layer, i) =>
    i === problem.open ? [] : [[`layer.${i + 1}`, layerText(layer, i + 1, { problem, look }, pen)] as const],
  );

function layerText(layer: Layer, number: number, { problem, look }: LinkContent, pen: FieldWriter): string {
  const parts = layer.kind === 'conv' ? convParts(layer, number, { problem, look }, pen) : plainParts(layer);
  // The text is decoded as a whole first.
  return textOf(layer.kind, parts).replaceAll('%', '%25');
}

function convParts(layer: ConvLayer, number: number, { problem, look }: LinkContent, pen: FieldWriter): FieldTexts {
  const input = sizesOf(problem)[number - 1] ?? problem.input;
  const state = { problem: { ...problem, input, layers: [layer], open: 0 }, look };
  const own: FieldWriter = {
    omit: (input) => pen.omit(`${input as 'w' | 'b'}${number}`),
    pack: (values, input) => pen.pack(values, `${input as 'w' | 'b'}${number}`),
  };
  return writeFields(CONV_FIELDS, state, own);
}

const plainParts = (layer: PlainLayer): FieldTexts =>
  layerView(layer.kind).rows.flatMap(({ key, write: textOf }) => {
    const text = textOf(layer.fields);
    return text === null ? [] : [[key, text] as const];
  });

const CONV_EXAMPLE = 'conv;kh:3;kw:3;stride:1;padding:0;weights:random:3';
const EXAMPLES = LAYER_KINDS.map((kind) => (isPlain(kind) ? textOf(kind, plainParts(newPlain(kind))) : CONV_EXAMPLE));
const RIGHT = `a layer such as ${EXAMPLES.slice(0, -1).join(', ')} or ${EXAMPLES.at(-1)}`;

/** A layer that was read as text: its sizes, and the weights of a convolution as text. */
type Read = PlainLayer | { readonly kind: 'conv'; readonly sizes: PartialLink['sizes']; readonly texts: LinkTexts };

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
  if (isPlain(kind)) return readPlain(kind, texts);
  if (!isLayerKind(kind)) return null;
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

function readPlain(kind: PlainKind, texts: LinkTexts): PlainLayer | null {
  const { rows } = layerView(kind);
  if ([...texts.keys()].some((key) => rows.every((row) => row.key !== key))) return null;
  let fields = {};
  for (const { key, read: parse } of rows) {
    const own = parse(texts.get(key), fields);
    if (!own) return null;
    fields = { ...fields, ...own };
  }
  return plainLayer(kind, fields);
}

/** The layers by number; those that cannot be read are left out, and null at their number. */
function readAll(texts: LinkTexts, complain: Complain): ReadonlyMap<number, Read | null> {
  const found = new Map<number, Read | null>();
  for (const [key, text] of texts) {
    if (!key.startsWith('layer.')) continue;
    const number = parseCount(key.slice('layer.'.length));
    const fits = number !== null && number >= 1 && number <= MOST_LAYERS && found.size < MOST_LAYERS - 1;
    const layer = fits ? readLayer(text) : null;
    if (fits) found.set(number, layer);
    const right = fits ? RIGHT : `one of at most ${MOST_LAYERS} layers, the open one among them`;
    if (!layer) complain(`${key} is ${quoted(text)} in the link, but must be ${right}; it was ignored.`);
  }
  return found;
}

/** Reads the sizes of all layers; the weights are read when the cost is known. */
function read(draft: PartialLink, texts: LinkTexts, complain: Complain): ConvError | null {
  const found = readAll(texts, complain);
  if (found.size === 0) return null;
  const numbers = Array.from({ length: MOST_LAYERS }, (_, i) => i + 1);
  const open = numbers.find((number) => !found.has(number)) ?? MOST_LAYERS;
  const input = draft.desc;
  const { input: inputSizes } = partsOfDesc(input);
  let sizes: PlaneSizes = inputSizes;
  const before: Sized[] = [];
  const after: Sized[] = [];
  const works: Work[] = [];
  for (const number of numbers) {
    const layer = number === open ? { kind: 'conv' as const, sizes: draft.sizes, texts } : found.get(number);
    if (!layer) continue;
    const sized: Sized['sized'] =
      layer.kind === 'conv'
        ? { kind: 'conv', fields: partsOfDesc(withDefaults({ sizes: layer.sizes })).fields, w: null, b: null }
        : layer;
    const fault = faultOf(sized, sizes);
    if (fault) return { ...fault, message: `layer ${number} (${layerTitle(sized)}): ${fault.message}` };
    const desc = sized.kind === 'conv' ? descOn(sized.fields, sizes) : null;
    if (desc) works.push(workOf(desc));
    if (number === open && desc) draft.desc = desc;
    else
      (number < open ? before : after).push({
        number,
        sized,
        desc,
        texts: layer.kind === 'conv' ? layer.texts : texts,
      });
    sizes = outputOf(sized, sizes);
  }
  if (before.length + after.length === 0) return null;
  const sum = (measure: keyof Work) => works.reduce((total, work) => total + work[measure], 0);
  const end = shapeOfSizes(sizes);
  const layers = (of: readonly Sized[]) => of.map((layer) => complete(layer, draft, complain));
  draft.network = {
    input,
    end,
    parseCell: (text) => parseCell(text, before.length + 1 + after.length),
    work: { multiply_adds: sum('multiply_adds'), bytes: sum('bytes'), cells: sum('cells') },
    complete: (problem: Problem) => ({
      ...problem,
      input: inputSizes,
      layers: [...layers(before), ...problem.layers, ...layers(after)],
      open: before.length,
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
  readonly sized: LayerOf<null>;
  /** Of a convolution, with the sizes of its input. */
  readonly desc: ConvDesc | null;
  readonly texts: LinkTexts;
}

/** The layer with its weights. */
function complete({ number, sized, desc, texts }: Sized, draft: PartialLink, complain: Complain): Layer {
  if (sized.kind !== 'conv' || !desc) return sized as PlainLayer;
  const { [`w${number}` as const]: w, [`b${number}` as const]: b } = draft.knownInputs;
  const own = draftOf({ desc, unpack: draft.unpack, knownInputs: { ...(w && { w }), ...(b && { b }) } });
  for (const field of CONV_INPUTS) {
    const right = readField(field, texts, own);
    const text = quoted(texts.get(field.key) ?? '');
    if (right)
      complain(`${field.key} of layer.${number} is ${text} in the link, but must be ${right}; it was ignored.`);
  }
  for (const missing of own.missing)
    draft.missing.push({ ...missing, input: `${missing.input as 'w' | 'b'}${number}` });
  const { tensors, algorithms } = own;
  return {
    ...{ kind: 'conv', fields: sized.fields, algorithms },
    ...{ w: tensors.w ?? defaultWeights(desc), b: tensors.b ?? null },
  };
}

/** As of a problem. */
const defaultWeights = (desc: ConvDesc) => {
  const shape = wShape(desc);
  const from = shape.reduce((cells, size) => cells * size, 1);
  return generated({ kind: 'countdown', from }, 'weights', desc.layout, shape);
};

networkFields.code = { write, read };
