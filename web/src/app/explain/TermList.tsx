import { useState } from 'preact/hooks';
import { positionOf } from '../../geometry/grid';
import type { FactorForm, TermForm } from '../../geometry/labels';
import type { BoxRegion } from '../../geometry/region';
import { box } from '../../geometry/region';
import type { Cell } from '../../protocol/cell';
import type { Geometry } from '../../protocol/problem';
import { Button } from '../../ui/controls/Button';
import { Segmented } from '../../ui/controls/Choice';
import { formatCell } from '../../ui/numbers';
import { CellChip } from './CellChip';
import type { Sum } from './sum-behind';

interface TermListProps {
  readonly geometry: Geometry;
  readonly sum: Sum;
  /** One a term; null until the library has answered. */
  readonly products: Float32Array | null;
  readonly lookUp: (cell: Cell) => number | null;
  readonly onTerm: (regions: readonly BoxRegion[]) => void;
  readonly onGo: (cell: Cell) => void;
}

type Order = 'position' | 'size';

const ORDERS = [
  { value: 'position', label: 'by position' },
  { value: 'size', label: 'by size' },
] as const;

/** A term has one line: three digits tell what it is, the totals below are exact. */
const formatShort = (value: number) => formatCell(value, { digits: 3, chars: 7 });

/** Terms shown before the rest is folded. */
const SHORT = 12;

/** The terms of a sum: each with its place, its numbers and its product. */
export function TermList({ geometry, sum, products, lookUp, onTerm, onGo }: TermListProps) {
  const [order, setOrder] = useState<Order>('position');
  const [open, setOpen] = useState(false);
  const { terms, total } = sum;
  const sorted = order === 'size' && products ? bySize(terms, products) : terms;
  const shown = open ? sorted : sorted.slice(0, SHORT);
  const more = total - shown.length;
  const light = (term: TermForm) => onTerm(regionsOf(geometry, term));
  return (
    <div class="terms" onPointerLeave={() => onTerm([])}>
      {total > SHORT && (
        <Segmented label="order of the terms" quiet options={ORDERS} value={order} onChange={setOrder} />
      )}
      <ol class="terms__list">
        {shown.map((term) => (
          <li
            key={term.index}
            class={term.inPadding ? 'term term--padding' : 'term'}
            onPointerEnter={() => light(term)}
            onFocusIn={() => light(term)}
            onFocusOut={() => onTerm([])}
          >
            <span class="term__names">
              <CellChip label={term.a.label} cell={term.a.cell} onGo={onGo} />
              {term.b && ' · '}
              {term.b && <CellChip label={term.b.label} cell={term.b.cell} onGo={onGo} />}
            </span>
            <span class="term__numbers">{numbersOf(term, lookUp)}</span>
            <span class="term__product">{productOf(term, products, lookUp)}</span>
          </li>
        ))}
      </ol>
      {more > 0 && (
        <p class="terms__more">
          … {more.toLocaleString('en')} more
          {!open && terms.length > SHORT && (
            <Button onClick={() => setOpen(true)}>Show {Math.min(terms.length, total)}</Button>
          )}
        </p>
      )}
      {open && <Button onClick={() => setOpen(false)}>Show fewer</Button>}
    </div>
  );
}

function bySize(terms: readonly TermForm[], products: Float32Array): readonly TermForm[] {
  const size = ({ index }: TermForm) => Math.abs(products[index] ?? 0);
  return [...terms].sort((a, b) => size(b) - size(a));
}

function numbersOf({ a, b, inPadding }: TermForm, lookUp: (cell: Cell) => number | null): string {
  if (inPadding) return 'in the padding';
  if (!b) return '';
  return `${bracketed(a, lookUp)} · ${bracketed(b, lookUp)}`;
}

function bracketed({ cell }: FactorForm, lookUp: (cell: Cell) => number | null): string {
  const value = cell ? lookUp(cell) : 0;
  const text = value === null ? '?' : formatShort(value);
  return value !== null && value < 0 ? `(${text})` : text;
}

function productOf(term: TermForm, products: Float32Array | null, lookUp: (cell: Cell) => number | null): string {
  if (!term.b) {
    const value = term.a.cell ? lookUp(term.a.cell) : 0;
    return value === null ? '' : formatShort(value);
  }
  const product = products?.[term.index];
  return product === undefined ? '' : formatShort(product);
}

function regionsOf(g: Geometry, { a, b }: TermForm): readonly BoxRegion[] {
  return [a, b].flatMap((factor) => {
    if (!factor?.cell) return [];
    const { slice, row, col, channel } = positionOf(g, factor.cell);
    const one = (first: number) => ({ first, step: 1, count: 1 });
    const region = box(g, factor.tensor, { slice: one(slice), row: one(row), col: one(col), channel: one(channel) });
    return region ? [region] : [];
  });
}
