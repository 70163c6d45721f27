import { positionOf } from '../../geometry/grid';
import { positionLabel, termForm } from '../../geometry/labels';
import { OUTSIDE, planesOf, readingOrder, terms } from '../../geometry/terms';
import type { Tensors } from '../../protocol/messages';
import { type Cell, type Geometry, isTensor, type TensorName } from '../../protocol/problem';
import { formatCell, hasHiddenValues } from '../../ui/numbers';
import { formatCount } from '../../ui/quantities';

/** More terms are not read: a cell of dw of a large image has a million. */
const MOST_TERMS = 1024;

/** The number in a term, and the tensor that it is from; null: the words for the terms that are not written. */
interface Factor {
  readonly tensor: TensorName | null;
  readonly value: number;
  /** Three digits, so that a term is short; a negative number is in brackets. */
  readonly text: string;
}

/** A term of a sum in the order in which it is written: one cell, or the product of two. */
interface Term {
  /** Its number in the sum. */
  readonly index: number;
  readonly factors: readonly Factor[];
  /** A factor is 0, so the term is. */
  readonly isZero: boolean;
}

/** The sum behind a cell of y, dx, dw or db, with the numbers of the library's tensors: its first terms. Null: another cell. */
export function sumOf(g: Geometry, tensors: Tensors, cell: Cell, added: Cell | null = null) {
  const result = isTensor(cell.tensor) ? tensors[cell.tensor]?.data[cell.index] : undefined;
  const page = terms(g, cell, MOST_TERMS);
  if (!page || result === undefined || !isTensor(cell.tensor)) return null;
  const { a, b, index_a, index_b } = page;
  const bias = added ?? page.bias;
  const factorsOf = (tensor: typeof a, index = OUTSIDE): readonly Factor[] => {
    if (!isTensor(tensor)) return [];
    const value = index === OUTSIDE ? 0 : (tensors[tensor]?.data[index] ?? 0);
    const text = formatCell(value, { digits: 3, chars: 7 });
    return [{ tensor, value, text: value < 0 ? `(${text})` : text }];
  };
  const planes = planesOf(g, cell);
  const leads = planes?.leading === 'b';
  const all = Array.from(index_a, (at, index): Term => {
    const factors = [...factorsOf(a, at), ...(b ? factorsOf(b, index_b[index]) : [])];
    return { index, factors: leads ? factors.toReversed() : factors, isZero: isZero(factors) };
  });
  const read = planes && all.length === page.total ? readingOrder(planes).flatMap((index) => all[index] ?? []) : all;
  return {
    page,
    tensor: cell.tensor,
    label: positionLabel(g, cell.tensor, positionOf(g, cell)),
    terms: read,
    /** Products of 0 are not written. */
    counting: read.filter((term) => !term.isZero),
    bias: bias && tensors.b ? factorsOf('b', bias.index) : [],
    result: formatCell(result, { digits: 4, chars: 9 }),
    /** The terms would give the result away. */
    isHidden: hasHiddenValues.value && Number.isNaN(result),
    positionOf: (index: number) => termForm(g, page, index)?.a.position ?? null,
  };
}

export type Sum = NonNullable<ReturnType<typeof sumOf>>;

/** A factor is 0, and none is infinite, NaN or hidden. */
const isZero = (factors: readonly Factor[]) =>
  factors.some(({ value }) => value === 0) && factors.every(({ value }) => Number.isFinite(value));

/** What a sum leaves out: its products of 0; of dx, the stamps of w on the cell. Null: nothing, or too many terms to tell. */
export function remarkOf({ page, tensor, terms: all, counting }: Sum): string | null {
  if (page.total === 0) return 'no window covers this cell';
  if (page.total > all.length) return null;
  if (tensor === 'dx') {
    const stamps = all.filter(({ factors }) => factors[0]?.value !== 0).length;
    const few = ['no', 'one'][stamps];
    return few ? `${few} stamp covers this cell` : `${stamps} stamps cover this cell`;
  }
  const zeros = all.length - counting.length;
  const [one, more] = page.b ? ['product is', 'products are'] : ['cell of dy is', 'cells of dy are'];
  return zeros === 0 ? null : `${formatCount(zeros)} ${zeros === 1 ? one : more} 0`;
}

const termText = (factors: readonly Factor[]): string => factors.map(({ text }) => text).join('·');

/** Characters of terms, each with " + ". */
const lengthOf = (shown: readonly (readonly Factor[])[]) =>
  shown.reduce((sum, factors) => sum + termText(factors).length + ' + '.length, 0);

/**
 * What a sum adds, in so many characters, its name and result included: the last terms can be "… 7 more". `result`: null where it would
 * repeat the only term, db[0] = 1. `free`: characters that are left.
 */
export function writtenSum({ page, label, terms: all, counting, bias, result }: Sum, room = Number.POSITIVE_INFINITY) {
  const around = label.length + result.length + 2 * ' = '.length + lengthOf(bias.length > 0 ? [bias] : []);
  const isCut = page.total > all.length;
  const total = isCut ? page.total : counting.length;
  const products = counting.map(({ factors }) => factors);
  const isWhole = !isCut && around + lengthOf(products) <= room;
  const most = isWhole ? room : room - `… ${total} more + `.length;
  let length = around;
  const shown = counting.filter(({ factors }) => {
    length += lengthOf([factors]);
    return length <= most;
  });
  const more = total - shown.length;
  const rest: Factor = { tensor: null, value: Number.NaN, text: `… ${formatCount(more)} more` };
  const added = [
    ...shown,
    ...(more > 0 ? [{ index: -1, factors: [rest] }] : []),
    ...(bias.length > 0 ? [{ index: -2, factors: bias }] : []),
  ];
  return {
    added,
    result: added.length === 1 && added[0]?.factors.length === 1 && more === 0 ? null : result,
    free: more > 0 ? 0 : room - length,
  };
}

/** Terms that fit in a few lines of text. */
const FEW_LINES = 18;

/** "dx[1,1] = 1·5 + 2·6 = 17", a hidden value as "?"; null if more than `most` terms are not 0. */
export function sumText(sum: Sum, most = FEW_LINES): string | null {
  if (sum.page.total > sum.terms.length || sum.counting.length > most) return null;
  const { added, result } = writtenSum(sum);
  const written = added.map(({ factors }) => termText(factors)).join(' + ');
  return [sum.label, written, result].filter(Boolean).join(' = ');
}
