import { countOf, type FileContents, shapeText } from '../../formats/format';
import { RESULTS, type ResultName } from '../../protocol/problem';
import { type Judgement, type LayerVerdict, ROLES, type Role, type TensorVerdict } from '../../protocol/verdict';
import { formatExact } from '../../ui/numbers';
import { sentence } from '../../ui/quantities';
import { arrayName } from './judge-request';

/** The words around the sentences of the library. */

export const KINDS: Readonly<Record<LayerVerdict['kind'], string>> = {
  conv: 'convolution',
  conv1d: 'convolution along one axis',
  conv_transpose: 'transposed convolution',
  relu: 'ReLU',
  max_pool: 'max pooling',
  average_pool: 'average pooling',
};

export type VerdictMark = '✓' | '✗' | '?';

export const markOf = (verdict: Judgement | 'right' | 'wrong'): VerdictMark =>
  verdict === 'matches' || verdict === 'right' ? '✓' : verdict === 'cannot_tell' ? '?' : '✗';

export const MARK_WORDS: Readonly<Record<VerdictMark, string>> = { '✓': 'right', '✗': 'wrong', '?': 'not judged' };

export const layerName = ({ name }: Pick<LayerVerdict, 'name'>, index: number): string => name || `layer ${index + 1}`;

/** "Convolution, x NCHW, w OIHW." The order of the axes is left out where the evidence says it. */
export function layerText(layer: LayerVerdict): string {
  const isSaid = /, x [A-Z]+/.test(layer.evidence);
  const order = isSaid ? undefined : layer.geometry?.order;
  const orders = [order?.x && `x ${order.x}`, order?.w && `w ${order.w}`].filter(Boolean);
  return sentence([KINDS[layer.kind], ...orders].join(', '));
}

const DY_TEXTS: Readonly<Record<LayerVerdict['dy'], string>> = {
  file: '',
  missing: '',
  owner: 'The file has no dy. The dy of this page is used.',
  ones: 'The file has no dy. dy = 1 everywhere, the gradient of y.sum(), is used.',
  mean: 'The file has no dy. dy = 1 / size of y, the gradient of y.mean(), is used.',
  y: 'The file has no dy. dy = y, the gradient of (y * y).sum() / 2, is used.',
};

/** Where dy comes from, if not from the file; '' if no gradient needs it. */
export const dyText = ({ dy, tensors }: Pick<LayerVerdict, 'dy' | 'tensors'>): string =>
  tensors.dx || tensors.dw || tensors.db ? DY_TEXTS[dy] : '';

/** What the file lacks for its results; '' if nothing. */
export function missingText({ tensors }: Pick<LayerVerdict, 'tensors'>): string {
  const reasons = Object.values(tensors).flatMap(({ verdict, reason }) => (verdict === 'cannot_tell' ? [reason] : []));
  const missing = ROLES.filter((role) => reasons.includes(`${role} is missing`));
  if (missing.length === 0) return '';
  return `Missing: ${missing.join(', ')}. Save ${missing.length === 1 ? 'it' : 'them'} in the same file, or choose which array is which tensor.`;
}

/** "dy is [2, 5, 3, 4], but y is [2, 6, 3, 4]."; '' if both have as many values. */
export function misfitText({ tensors }: FileContents, { arrays }: LayerVerdict): string {
  const [y, dy] = [tensors[arrays.y ?? -1]?.shape, tensors[arrays.dy ?? -1]?.shape];
  if (!y || !dy || countOf(y) === countOf(dy)) return '';
  return `dy is ${shapeText(dy)}, but y is ${shapeText(y)}.`;
}

/** "x: A_prev, dy: 1 (the loss y.sum())", with the names of the file. */
export const operandsText = (opened: FileContents, layer: LayerVerdict, { operands }: TensorVerdict): string =>
  operands
    .map((text) => {
      const role = text.slice(0, text.indexOf(':')) as Role;
      const index = layer.arrays[role];
      return index === undefined ? text : `${role}: ${arrayName(opened, index)}`;
    })
    .join(', ');

/** "conv1.weight.grad [6, 2, 3, 3]" */
export function arrayText(opened: FileContents, { arrays }: LayerVerdict, role: Role): string {
  const index = arrays[role];
  return index === undefined ? '' : `${arrayName(opened, index)} ${shapeText(opened.tensors[index]?.shape ?? [])}`;
}

const numberText = (value: number | string | undefined): string =>
  value === undefined ? '' : typeof value === 'number' ? formatExact(Math.fround(value)) : value.replace('-', '−');

/** The position of a flat index in an array: "[0,1,2,0]". */
function indexText(shape: readonly number[], index: number): string {
  let rest = index;
  const position = [...shape].reverse().map((size) => {
    const at = rest % size;
    rest = Math.floor(rest / size);
    return at;
  });
  return `[${position.reverse().join(',')}]`;
}

/** "dw[0,1,2,0]: yours −1.5, right 2.25"; null if no cell differs. */
export function worstText(
  opened: FileContents,
  { arrays }: LayerVerdict,
  role: ResultName,
  { worst, yours, right }: TensorVerdict,
): string | null {
  const shape = opened.tensors[arrays[role] ?? -1]?.shape;
  if (worst === undefined || !shape) return null;
  return `${role}${indexText(shape, worst)}: yours ${numberText(yours)}, right ${numberText(right)}`;
}

/** The results of a layer, in the usual order. */
export const resultsOf = ({ tensors }: LayerVerdict): readonly (readonly [ResultName, TensorVerdict])[] =>
  RESULTS.flatMap((name) => {
    const tensor = tensors[name];
    return tensor ? [[name, tensor] as const] : [];
  });
