import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { inputOfC, oneImage, outputOfC, weightBetween } from '../../geometry/conv-matrix';
import { cellAt, positionOf, type Region, regionIndices, sameCell } from '../../geometry/grid';
import { cellLabel, type FactorForm, type TermForm, termForm } from '../../geometry/labels';
import { factorBeside, type SumPlanes, type Terms } from '../../geometry/terms';
import type { LookStore } from '../../look/look-store';
import type { Tensors } from '../../protocol/messages';
import { type Cell, type Geometry, isTensor } from '../../protocol/problem';
import { lutIndex, lutOf, scaleEnd } from '../../ui/color-scale';
import { Button } from '../../ui/controls/Button';
import { Segmented } from '../../ui/controls/Choice';
import { fitCellTexts, formatCell, formatExact } from '../../ui/numbers';
import { theme } from '../../ui/theme';

/** The value of a cell; null if it is not known. */
type LookUp = (cell: Cell) => number | null;

export interface CellProps {
  readonly geometry: Geometry;
  readonly cell: Cell;
  readonly look: LookStore;
  readonly lookUp: LookUp;
}

/** The name of a cell; a click selects it. */
export function CellChip({
  label,
  cell,
  look,
}: {
  label: string;
  /** null for a factor in the padding, which has no link. */
  cell: Cell | null;
  look: LookStore;
}) {
  const family = label.replace(/^d/, '').charAt(0);
  const style = { '--accent': `var(--id-${family})` };
  if (!cell) return <span class="chip chip--nowhere">{label}</span>;
  return (
    <button type="button" class="chip" style={style} onClick={() => look.pinAndShow(cell)}>
      {label}
    </button>
  );
}

/** Cells listed per tensor; the grids show the rest. */
const MAX_LISTED = 24;

/** All cells that use a cell, each with the factor that multiplies it there. */
export function UsedBy({ geometry, cell: used, look, lookUp, targets }: CellProps & { targets: readonly Region[] }) {
  if (targets.length === 0) {
    return (
      <p class="explain__note note">No window covers this cell, so nothing uses it and its gradient is exactly 0.</p>
    );
  }
  const point = (cells: readonly (Cell | null)[]) => {
    look.term.value = cells.flatMap((cell) =>
      cell ? sameCell(geometry, cell.tensor, positionOf(geometry, cell)) : [],
    );
  };
  return (
    <dl class="feeds grid loose small" onPointerLeave={() => point([])}>
      {targets.map((region) => (
        <div key={region.tensor} class="feeds__group">
          <dt>
            <span class="symbol">{region.tensor}</span>: {region.count.toLocaleString('en')}{' '}
            {region.count === 1 ? 'cell' : 'cells'}
          </dt>
          <dd>
            {Array.from(regionIndices(geometry, region, MAX_LISTED), (index) => {
              const cell = { tensor: region.tensor, index };
              const via = factorBeside(geometry, used, cell);
              const value = via && lookUp(via);
              return (
                <span key={index} class={via ? 'feeds__line' : ''} onPointerEnter={() => point([cell, via])}>
                  <CellChip label={cellLabel(geometry, cell)} cell={cell} look={look} />{' '}
                  {via && (
                    <span class="feeds__via">
                      via <CellChip label={cellLabel(geometry, via)} cell={via} look={look} />
                      {value !== null && ` = ${formatExact(value)}`}
                    </span>
                  )}
                </span>
              );
            })}
            {region.count > MAX_LISTED && <span>… {(region.count - MAX_LISTED).toLocaleString('en')} more</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Why an entry of C is a weight, or 0. */
export function MatrixEntry({ geometry: g, cell, look }: CellProps) {
  const image = oneImage(g);
  const { row, col } = positionOf(g, cell);
  const weight = weightBetween(g, outputOfC(g, row), inputOfC(g, col));
  const chip = (of: Cell | null) => of && <CellChip label={cellLabel(image, of)} cell={of} look={look} />;
  const ofRow = (tensor: 'y' | 'dy') => chip({ tensor, index: row });
  const ofColumn = (tensor: 'x' | 'dx') => chip({ tensor, index: col });
  return (
    <>
      <p class="explain__note note">
        Row {row} of C computes {ofRow('y')}; column {col} multiplies {ofColumn('x')}.
      </p>
      {weight ? (
        <>
          <p class="explain__note note">
            In the window of {ofRow('y')}, {chip(cellAt(g, 'w', weight))} multiplies {ofColumn('x')}. This entry is that
            weight.
          </p>
          <p class="explain__note note">
            Row {row} · x = {ofRow('y')}. In the transpose Cᵀ, the same entry takes the gradient from {ofRow('dy')} to{' '}
            {ofColumn('dx')}.
          </p>
        </>
      ) : (
        <p class="explain__note note">
          {ofColumn('x')} is not in the window of {ofRow('y')}, so this entry is 0. No gradient flows from {ofRow('dy')}{' '}
          to {ofColumn('dx')}.
        </p>
      )}
      {g.n > 1 && (
        <p class="explain__note note">C is the same for all {g.n} images. The cells named here are of the first.</p>
      )}
    </>
  );
}

/** What the grids and the list of a sum share. */
interface SumProps {
  readonly geometry: Geometry;
  readonly page: Terms;
  /** Index in the whole sum of the hovered term; null: none. */
  readonly pointed: number | null;
  readonly lookUp: LookUp;
  readonly onPoint: (term: number | null) => void;
}

export interface TermListProps extends SumProps {
  /** The range of listed terms in the whole sum. */
  readonly first: number;
  readonly count: number;
  /** The terms in the order of the factor that is written first; without planes there is one term. */
  readonly planes?: SumPlanes;
  /** The factor that is written first. */
  readonly leading: 'a' | 'b';
  /** One per term; null until the library has answered. */
  readonly products: Float32Array | null;
  readonly look: LookStore;
}

const ORDERS = [
  { value: 'position', label: 'by position' },
  { value: 'size', label: 'by size' },
] as const;

/** Three digits, so that a term fits on one line. The totals are exact. */
const formatShort = (value: number) => formatCell(value, { digits: 3, chars: 7 });

/** Terms that are shown before "Show all". */
const SHORT = 12;

/** At least that many products of 0 are one line, in a list of at most that many terms. */
const FOLDED = { least: 3, most: 64 };
const zerosShown = signal(false);

/** A range of the terms of a sum: names, values and product of each. */
export function TermList(props: TermListProps) {
  const { geometry, page, first, count, planes, leading, products, pointed, lookUp, onPoint, look } = props;
  const [order, setOrder] = useState<(typeof ORDERS)[number]['value']>('position');
  const [open, setOpen] = useState(false);
  const isWhole = planes && count === planes.rows * planes.cols;
  const numbers = Array.from(
    { length: count },
    (_, i) => first + (isWhole ? planes.termAt(Math.floor(i / planes.cols), i % planes.cols) : i),
  );
  const sorted = order === 'size' && products ? bySize(numbers, products) : numbers;
  const zeros = count > FOLDED.most ? [] : numbers.filter((number) => isZero(termForm(geometry, page, number), lookUp));
  const foldable = zeros.length >= FOLDED.least && zeros.length < count;
  const listed = foldable && !zerosShown.value ? sorted.filter((number) => !zeros.includes(number)) : sorted;
  const shown = open ? listed : listed.slice(0, SHORT);
  const pointsAtZero = pointed !== null && zeros.includes(pointed);
  return (
    <div class="terms grid small" onPointerLeave={() => onPoint(null)}>
      {count > SHORT && (
        <Segmented label="order of the terms" quiet options={ORDERS} value={order} onChange={setOrder} />
      )}
      <ol class="terms__list plain">
        {shown.map((number) => {
          const term = termForm(geometry, page, number);
          if (!term) return null;
          const [one, other] = term.b && leading === 'b' ? [term.b, term.a] : [term.a, term.b];
          return (
            <li
              key={number}
              class={`term grid${term.inPadding ? ' term--padding' : ''}${number === pointed ? ' term--pointed' : ''}`}
              onPointerEnter={() => onPoint(number)}
              onFocusIn={() => onPoint(number)}
              onFocusOut={() => onPoint(null)}
            >
              <span class="term__names">
                <CellChip label={one.label} cell={one.cell} look={look} />
                {other && ' · '}
                {other && <CellChip label={other.label} cell={other.cell} look={look} />}
              </span>
              <span class="term__numbers">
                {other &&
                  (term.inPadding ? 'in the padding' : `${bracketed(one, lookUp)} · ${bracketed(other, lookUp)}`)}
              </span>
              <span class="term__product">{productOf(term, products, lookUp)}</span>
            </li>
          );
        })}
      </ol>
      {foldable && (
        <button
          type="button"
          class={`terms__zeros${pointsAtZero && !zerosShown.value ? ' term--pointed' : ''}`}
          aria-expanded={zerosShown.value}
          onClick={() => {
            zerosShown.value = !zerosShown.value;
          }}
        >
          {zerosShown.value ? `Fold ${zeros.length} products of 0` : `${zeros.length} products are 0`}
        </button>
      )}
      {listed.length > SHORT && (
        <Button onClick={() => setOpen(!open)}>
          {open ? 'Show fewer' : `Show all ${listed.length.toLocaleString('en')}`}
        </Button>
      )}
    </div>
  );
}

/** Largest absolute value first. Without the sign bit, float32 bit patterns sort like absolute values. */
export function bySize(numbers: readonly number[], products: Float32Array): readonly number[] {
  const bits = new Uint32Array(products.buffer, products.byteOffset, products.length);
  const size = (number: number) => (bits[number] ?? 0) & 0x7fffffff;
  return [...numbers].sort((a, b) => size(b) - size(a));
}

/** The value of a factor; 0 in the padding. */
const factorValue = ({ cell }: FactorForm, lookUp: LookUp) => (cell ? lookUp(cell) : 0);

/** A factor is 0, and none is infinite, NaN or hidden. */
function isZero(term: TermForm | null, lookUp: LookUp) {
  if (!term) return false;
  const values = [term.a, term.b].filter((factor) => factor !== null).map((factor) => factorValue(factor, lookUp));
  return values.includes(0) && values.every((value) => value !== null && Number.isFinite(value));
}

function bracketed(factor: FactorForm, lookUp: LookUp) {
  const value = factorValue(factor, lookUp);
  const text = value === null ? '?' : formatShort(value);
  return value !== null && value < 0 ? `(${text})` : text;
}

function productOf({ index, a, b }: TermForm, products: Float32Array | null, lookUp: LookUp) {
  const product = b ? products?.[index] : factorValue(a, lookUp);
  return product === undefined || product === null ? '' : formatShort(product);
}

/** Rows or columns. The numbers of larger planes would be unreadable. */
const MAX_SIZE = 7;
/** Width of a grid in CSS pixels: two fit into the narrowest panel. The largest cell is also set in explain.css. */
const GRID = 124;
const LARGEST = 38;

/** The two grids that are multiplied cell by cell: window and w, dy and flipped w, or x and dy. */
export function SumGrids({
  geometry,
  tensors,
  page,
  planes,
  plane,
  pointed,
  lookUp,
  onPoint,
}: SumProps & {
  tensors: Tensors;
  planes: SumPlanes;
  plane: number;
}) {
  const { rows, cols, leading } = planes;
  if (rows > MAX_SIZE || cols > MAX_SIZE || (plane + 1) * rows * cols > page.index_a.length) return null;
  const following = leading === 'a' ? 'b' : 'a';
  const at = (row: number, col: number) => plane * rows * cols + planes.termAt(row, col);
  const draw = (side: 'a' | 'b') => {
    const name = page[side];
    if (!name) return null;
    const stats = isTensor(name) ? tensors[name]?.stats : undefined;
    const scale = { maxAbs: scaleEnd(stats), ramp: 'signed', transfer: 'linear' } as const;
    const lut = lutOf(theme.value, 'signed');
    const cells = Array.from({ length: rows * cols }, (_, i) => {
      const term = at(Math.floor(i / cols), i % cols);
      const factor = termForm(geometry, page, term)?.[side];
      const value = factor ? factorValue(factor, lookUp) : null;
      return { term, value, inside: factor?.cell !== null && value !== null };
    });
    const { texts, font } = fitCellTexts(
      cells.map(({ value, inside }) => (inside ? value : 0)),
      Math.min(LARGEST, Math.floor(GRID / cols)),
    );
    const ofWindow = name === 'x' && side === leading && page.b !== null;
    const title = side === following && planes.flipped ? `${name}, flipped` : ofWindow ? 'window of x' : name;
    return (
      <div class="pair__grid" role="img" aria-label={`${title}, ${rows} × ${cols}; values are in the terms below`}>
        <p class="pair__title small">{title}</p>
        <div class="pair__cells" style={{ '--cols': cols, fontSize: `${font}px` }}>
          {cells.map(({ term, value, inside }, i) => {
            const index = value === null ? 0 : lutIndex(value, scale);
            return (
              <span
                key={term}
                class={`pair__cell${inside ? '' : ' pair__cell--padding'}${term === pointed ? ' pair__cell--pointed' : ''}`}
                style={inside ? { background: lut.css[index] ?? '', color: lut.ink[index] ?? '' } : ''}
                onPointerEnter={() => onPoint(term)}
              >
                {texts[i]}
              </span>
            );
          })}
        </div>
      </div>
    );
  };
  return (
    <div class="pair row" onPointerLeave={() => onPoint(null)}>
      {draw(leading)}
      {page.b && (
        <span class="pair__sign" aria-hidden="true">
          ·
        </span>
      )}
      {page.b && draw(following)}
    </div>
  );
}
