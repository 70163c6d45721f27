import type { FileContents, FileTensor } from '../../formats/format';
import type { JudgeRequest, NamedArgument, NamedArray } from '../../protocol/judge';
import { type ConvDesc, INPUTS, type ResultName } from '../../protocol/problem';
import { resolvePadding } from '../../protocol/shapes';
import {
  type ArraysOfLayer,
  type FileVerdict,
  type LayerGeometry,
  type LayerVerdict,
  ROLES,
  type Role,
  type TensorVerdict,
} from '../../protocol/verdict';
import type { Page } from '../page/page';
import { layerArrays } from './layer-arrays';

/** What the user chose in place of what the library found. Arrays are counted as in the file. */
export interface Correction {
  /** These arrays only, as these tensors; null: all arrays, by their names. */
  readonly roles: ArraysOfLayer | null;
  /** A geometry of a layer: tried first. `arrays`: those that are no arguments. */
  readonly geometry: {
    readonly layer: string;
    readonly geometry: LayerGeometry;
    readonly arrays: readonly number[];
  } | null;
}

export const NO_CORRECTION: Correction = { roles: null, geometry: null };

/** A file with its verdict, and what its dialog can do with them. */
export interface JudgedFile {
  readonly page: Page;
  /** Of the file; '' for a pasted text. */
  readonly name: string;
  readonly opened: FileContents;
  readonly verdict: FileVerdict;
  readonly read: ReadonlyMap<number, FileTensor>;
  readonly correction: Correction;
  readonly onCorrect: (correction: Correction) => void;
  readonly onCompare: (compared: Compared) => void;
  /** Called when the dialog can close. */
  readonly onTaken: () => void;
}

export interface JudgedLayer extends JudgedFile {
  readonly layer: LayerVerdict;
}

/** An imported result, in the axis order of this page, with its verdict. */
export interface Imported {
  readonly result: ResultName;
  readonly values: Float32Array;
  readonly verdict: TensorVerdict;
}

export type Compared = readonly Imported[];

/** The name that sentences use. */
export const arrayName = ({ tensors }: Pick<FileContents, 'tensors'>, index: number): string =>
  tensors[index]?.name || (tensors.length === 1 ? 'the array' : `array ${index + 1}`);

/** The array of the file for each array of the request. */
type Sent = readonly (readonly [index: number, name: string])[];

function sentOf(opened: FileContents, { roles, geometry }: Correction): Sent {
  if (roles) {
    return ROLES.flatMap((role): Sent => {
      const index = roles[role];
      return index === undefined ? [] : [[index, role]];
    });
  }
  const indices = geometry?.arrays ?? opened.tensors.map((_, index) => index);
  return indices.map((index) => [index, opened.tensors[index]?.name || `array ${index + 1}`]);
}

const values = (name: string, ...numbers: readonly number[]): NamedArgument => ({ name, values: numbers, text: '' });

const text = (name: string, words: string): NamedArgument => ({ name, values: [], text: words });

const argumentsOfDesc = (desc: ConvDesc): readonly NamedArgument[] => {
  const { top, bottom, left, right } = resolvePadding(desc);
  return [
    values('stride', desc.stride_h, desc.stride_w),
    values('dilation', desc.dilation_h, desc.dilation_w),
    // Eight numbers have one meaning only: none for images and channels.
    values('padding', 0, 0, top, bottom, left, right, 0, 0),
    values('groups', desc.groups),
  ];
};

function argumentsOfGeometry(
  layer: string,
  { stride, dilation, padding, groups, output_padding, order }: LayerGeometry,
): readonly NamedArgument[] {
  const prefix = layer === '' ? '' : `${layer}.`;
  // Those of a transposed convolution have one order.
  const orders = output_padding ? [] : [text(`${prefix}x_order`, order.x), text(`${prefix}w_order`, order.w ?? '')];
  return [
    ...orders,
    values(`${prefix}stride`, ...stride),
    values(`${prefix}dilation`, ...dilation),
    values(`${prefix}padding`, 0, 0, ...padding, 0, 0),
    values(`${prefix}groups`, groups),
  ];
}

/** The inputs of the page; none while some of its values are hidden: a verdict would reveal them. */
function operandsOf({ currentContent, look }: Page): readonly NamedArray[] {
  const content = currentContent.peek();
  if (!content || look.hiddenCells.peek().length > 0 || content.hides) return [];
  return layerArrays([content])
    .filter(({ name }) => INPUTS.some((input) => input === name))
    .map((array): NamedArray => ({ ...array, is_text: false }));
}

/** `ofPage`: the file is judged with x or w of the page, so that the geometry of the page is tried first. */
function requestOf(
  page: Page,
  opened: FileContents,
  read: ReadonlyMap<number, FileTensor>,
  correction: Correction,
  ofPage: boolean,
): { readonly request: JudgeRequest; readonly sent: Sent } {
  const sent = sentOf(opened, correction);
  const arrays = sent.flatMap(([index, name]) => {
    const [tensor, header] = [read.get(index), opened.tensors[index]];
    if (!tensor || !header) return [];
    return [{ name, shape: tensor.shape, values: tensor.values, is_text: header.stored === 'decimal' }];
  });
  const { geometry } = correction;
  const ofFile = opened.desc ? argumentsOfDesc(opened.desc) : opened.given;
  const chosen = geometry && argumentsOfGeometry(geometry.layer, geometry.geometry);
  const known = chosen ?? (ofPage ? argumentsOfDesc(page.store.layer.peek().desc) : ofFile);
  const options = { operands: operandsOf(page), owner: 'this page', says_arguments: known === opened.given };
  return { request: { arrays, given: known, options }, sent };
}

/** Whether a result was judged with one of these inputs of the page. */
export const usesPage = ({ layers }: FileVerdict, inputs = 'xwb'): boolean =>
  layers.some(({ tensors }) =>
    Object.values(tensors).some(({ operands }) =>
      operands.some((text) => text.endsWith(': of this page') && inputs.includes(text.charAt(0))),
    ),
  );

/** With the arrays counted as in the file. */
function recounted(verdict: FileVerdict, sent: Sent): FileVerdict {
  const arraysOf = (arrays: ArraysOfLayer): ArraysOfLayer =>
    Object.fromEntries(
      (Object.entries(arrays) as [Role, number][]).map(([role, index]) => [role, sent[index]?.[0] ?? index]),
    );
  const layerOf = (layer: LayerVerdict): LayerVerdict => ({
    ...layer,
    arrays: arraysOf(layer.arrays),
    ...(layer.choices && {
      choices: layer.choices.map((one) => (one.arrays ? { ...one, arrays: arraysOf(one.arrays) } : one)),
    }),
  });
  const { inputs } = verdict;
  return { ...verdict, layers: verdict.layers.map(layerOf), ...(inputs && { inputs: layerOf(inputs) }) };
}

type Judge = (request: JudgeRequest) => Promise<FileVerdict>;

/** Judges the arrays that were read, by the geometry of the page where its x or w are used. */
export async function judgeFile(
  page: Page,
  opened: FileContents,
  read: ReadonlyMap<number, FileTensor>,
  correction: Correction,
  judge: Judge,
): Promise<FileVerdict> {
  const { request, sent } = requestOf(page, opened, read, correction, false);
  const verdict = await judge(request);
  if (!usesPage(verdict, 'xw') || correction.geometry || request.given.length > 0) return recounted(verdict, sent);
  return recounted(await judge(requestOf(page, opened, read, correction, true).request), sent);
}
