import { floatText } from '../formats/number-text';
import { gridOf } from '../geometry/grid';
import { LOSS_CODE } from '../losses/code';
import { isPerPosition, type LossKind } from '../losses/list';
import { sizesOfShape } from '../protocol/layers';
import type { LossValue } from '../protocol/messages';
import {
  type Geometry,
  INPUTS,
  type Pass,
  RESULT_OF,
  type ResultName,
  type Shape,
  type Tensor,
  type TensorName,
} from '../protocol/problem';
import { shapeSize } from '../protocol/shapes';
import { oneHot } from '../sources/distribution';
import { codeShape } from './snippet';

/** The data of a script that checks the results of the page, as literals without loss. */

interface ComputedPass {
  readonly algorithm: string;
  /**
   * |result - exact| <= bound * 2^-24 * the largest sum that values of this size can give. Algorithms that mix cells
   * declare only that; the others declare the bound for each element's own sum, which is not larger.
   */
  readonly bound: number;
}

export interface CheckInput {
  readonly geometry: Geometry;
  readonly tensors: Readonly<Partial<Record<TensorName, Tensor>>>;
  /** The algorithm of each computed pass, and its declared bound. */
  readonly computed: Readonly<Partial<Record<Pass, ComputedPass>>>;
  readonly hides: boolean;
  /** That computes dy; null or missing: dy is given. */
  readonly loss?: LossValue | null;
}

interface Result extends ComputedPass {
  readonly pass: Pass;
  readonly name: ResultName;
  readonly numbers: TensorLiteral;
}

export interface CheckSubject {
  readonly geometry: Geometry;
  readonly bias: boolean;
  readonly inputs: readonly TensorLiteral[];
  readonly results: readonly Result[];
  /** Null also without y. */
  readonly ofLoss: LossCheck | null;
}

/** Limit of the values: they make a file of about 90 MB. */
const MOST = 2 ** 24;

export const WOULD_REVEAL = 'A check would reveal the hidden values. Reveal them first.';

/** The data of a check, or a sentence if there is none. */
export function checkSubject({
  geometry: g,
  tensors,
  computed,
  hides,
  loss = null,
}: CheckInput): CheckSubject | string {
  if (hides) return WOULD_REVEAL;
  const numbersOf = (name: TensorName): readonly TensorLiteral[] => {
    const tensor = tensors[name];
    const whole = tensor?.data.length === gridOf(g, name).cells;
    return tensor && whole ? [{ name, sizes: codeShape(g, name), data: tensor.data }] : [];
  };
  const inputs = INPUTS.flatMap(numbersOf);
  const results = (Object.keys(RESULT_OF) as Pass[]).flatMap((pass) => {
    const how = computed[pass];
    const name = RESULT_OF[pass];
    return how ? numbersOf(name).map((numbers) => ({ pass, name, ...how, numbers })) : [];
  });
  if (results.length === 0) return 'There are no results to check yet.';
  const hasY = results.some(({ name }) => name === 'y') && inputs.some(({ name }) => name === 'dy');
  const ofLoss = lossCheck(hasY ? loss : null, g, gridOf(g, 'y').shape);
  const all = [...inputs, ...results.map(({ numbers }) => numbers), ...(ofLoss?.given ?? [])];
  const overflown = all.find(({ name }) => (tensors[name as TensorName]?.stats.not_finite ?? 0) > 0);
  if (overflown) return notFiniteNotice(overflown.name);
  if (loss && !Number.isFinite(loss.value)) return notFiniteNotice('The loss');
  return tooMany(all) ?? { geometry: g, bias: tensors.b !== undefined, inputs, results, ofLoss };
}

export const notFiniteNotice = (name: string): string =>
  `${name} has values that are not finite. They cannot be checked.`;

/** A sentence if the values are too many for a script; else null. */
export function tooMany(all: readonly Pick<TensorLiteral, 'data'>[]): string | null {
  const count = all.reduce((sum, { data }) => sum + data.length, 0);
  if (count <= MOST) return null;
  return `${count.toLocaleString('en')} values are too many for a script. The limit is ${MOST.toLocaleString('en')}.`;
}

/** The largest sum: products / over * the largest values of the tensors `of` + the largest of `plus`. */
export interface LargestSum {
  readonly products: number;
  readonly over?: number;
  readonly of: readonly string[];
  readonly plus: string | null;
}

/** That of an element of a result. */
export function sumOf(g: Geometry, name: ResultName, bias: boolean): LargestSum {
  switch (name) {
    case 'y':
      return { products: g.kh * g.kw * g.group_c, of: ['x', 'w'], plus: bias ? 'b' : null };
    case 'dx':
      return { products: g.kh * g.kw * g.group_k, of: ['dy', 'w'], plus: null };
    case 'dw':
      return { products: g.n * g.oh * g.ow, of: ['x', 'dy'], plus: null };
    case 'db':
      return { products: g.n * g.oh * g.ow, of: ['dy'], plus: null };
  }
}

/** A loss with the data of its check. */
export interface LossCheck {
  readonly kind: LossKind;
  /** target, and page_loss, which has no axes. */
  readonly given: readonly TensorLiteral[];
  /** Of page_loss and of dy, which has the name `dy`: |page - exact| <= (bound + 1) * 2^-24 * the largest sum. */
  readonly sums: (dy: string) => readonly (LargestSum & { readonly name: string; readonly bound: number })[];
}

const targetOf = ({ kind, target }: LossValue, { layout }: Pick<Geometry, 'layout'>, shape: Shape): Float32Array =>
  target ?? (isPerPosition(kind) ? oneHot(layout, shape, 0) : new Float32Array(shapeSize(shape)));

/** What the sums of a loss are divided by. */
export const countOf = (kind: LossKind, shape: Shape, channels: number): number =>
  shapeSize(shape) / (isPerPosition(kind) ? channels : 1);

/** Additions in a row: pairwise, with 16 in each of 8 sums at the end (losses/terms.hpp), and some roundings of a term. */
const BOUND_OF_SUM = 48;

/** `shape`: of y. Null: dy is given. */
export function lossCheck(loss: LossValue | null, g: Pick<Geometry, 'layout'>, shape: Shape): LossCheck | null {
  if (!loss) return null;
  const kind = loss.kind as LossKind;
  const count = countOf(kind, shape, sizesOfShape(g.layout, shape).c);
  const { slopeUpToOne, subtractsLogarithms } = LOSS_CODE[kind];
  return {
    kind,
    given: [
      { name: 'target', sizes: shape, data: targetOf(loss, g, shape) },
      { name: 'page_loss', sizes: [], data: Float32Array.of(loss.value) },
    ],
    sums: (dy) => [
      {
        ...{ name: 'page_loss', bound: BOUND_OF_SUM, products: 1 },
        ...(subtractsLogarithms ? { of: [], plus: 'page_loss' } : { of: ['page_loss'], plus: null }),
      },
      { name: dy, bound: 3, plus: null, products: 1, ...(slopeUpToOne ? { over: count, of: [] } : { of: [dy] }) },
    ],
  };
}

/** As an expression. `point`: makes the count a real number. */
export function largestText({ products, over, of, plus }: LargestSum, largest: (tensor: string) => string, point = '') {
  const count = `${products}${point}${over === undefined ? '' : ` / ${over}`}`;
  return [[count, ...of.map(largest)].join(' * '), ...(plus ? [largest(plus)] : [])].join(' + ');
}

/** Explains the tolerance, as lines of a comment. */
export const TOLERANCE: readonly string[] = [
  'This script computes in double precision from the same float32 values, so only the rounding of the page differs.',
  'Its algorithms declare that no value differs from the exact one by more than bound * 2^-24 times the largest sum that',
  'values of this size can give (products * max |a| * max |b|, plus |b| for the bias). Storing as float32 adds 2^-24.',
];

export interface TensorLiteral {
  readonly name: string;
  /** b and db have one axis of k values. */
  readonly sizes: readonly number[];
  readonly data: Float32Array;
}

/** Larger tensors are written as base64. */
const MOST_READ = 4096;
const WIDEST = 96;

/** Few and finite: Python has no literal of the others. */
export const isReadable = ({ data }: Pick<TensorLiteral, 'data'>): boolean =>
  data.length <= MOST_READ && data.every(Number.isFinite);

/** The values separated by commas, in lines of limited length, with one row of the tensor on each line if it fits. */
export function listText({ data, sizes }: Omit<TensorLiteral, 'name'>, indent: string): string {
  const row = rowOf(sizes);
  const lines: string[] = [];
  let line = '';
  data.forEach((value, at) => {
    const text = floatText(value);
    const begins = line === '' || at % row === 0 || line.length + text.length > WIDEST;
    if (begins && line !== '') lines.push(line);
    line = begins ? `${indent}${text},` : `${line} ${text},`;
  });
  return [...lines, line].join('\n');
}

/** Length of a row: the last two axes; more if they have size 1. */
function rowOf(sizes: readonly number[]): number {
  let row = 1;
  for (let axis = sizes.length - 1; axis >= 0 && (axis >= sizes.length - 2 || row === 1); axis -= 1)
    row *= sizes[axis] ?? 1;
  return row;
}

/** The bytes of the values, little-endian, as base64. */
export function bytesText({ data }: Pick<TensorLiteral, 'data'>): string {
  const bytes = new Uint8Array(data.length * 4);
  const view = new DataView(bytes.buffer);
  data.forEach((value, at) => {
    view.setFloat32(4 * at, value, true);
  });
  const parts: string[] = [];
  // Multiples of three bytes, few enough for the arguments of a call.
  for (let at = 0; at < bytes.length; at += 24_576) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 24_576))));
  }
  return parts.join('');
}
