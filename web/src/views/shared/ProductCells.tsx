import './product-cells.css';

/** Width of a bold character in em, and that of the dot in characters. */
const CHARACTER = 0.78;
const DOT = 0.5;
/** Least font size in CSS pixels. A product that needs a smaller one stands in two lines. */
const LEGIBLE = 11;
const AIR = 4;
/** Width of a character of a long factor, in CSS pixels: most characters are narrower than a bold one. */
const LEAST_CHARACTER = 7;

/** Maximum number of characters of a factor in a cell of `size` CSS pixels. */
export const productChars = (size: number): number => Math.floor((size - AIR) / LEAST_CHARACTER);

/** A product, written into a cell of a grid. */
export interface ProductCell {
  /** Its number in the sum, for an element that belongs to it. */
  readonly term?: number;
  /** From the first row and column of the grid, its ring included. */
  readonly row: number;
  readonly col: number;
  /** False: the product is 0. */
  readonly counts: boolean;
  readonly value: string;
  readonly weight: string;
  /** CSS colors of the cell below it. */
  readonly colors?: { readonly background: string; readonly color: string } | undefined;
}

/** Products over the cells of a grid, all in one font size; none if that is not legible. Hidden from screen readers, which get the terms. */
export function ProductCells({
  products,
  size,
}: {
  products: readonly ProductCell[];
  /** Cell size in CSS pixels. */
  size: number;
}) {
  const longest = (lengths: readonly number[]) => Math.max(...lengths, 1);
  const fontFor = (length: number) => Math.min(Math.max(15, size / 4), Math.floor((size - AIR) / (CHARACTER * length)));
  const inLine = fontFor(longest(products.map(({ value, weight }) => value.length + DOT + weight.length)));
  const lines = products.map(({ value, weight }) => Math.max(value.length, DOT + weight.length));
  const stacked = Math.min(13, Math.floor(size / 2) - 1, fontFor(longest(lines)));
  const isStacked = inLine < LEGIBLE && stacked > inLine;
  const font = isStacked ? stacked : inLine;
  if (font < LEGIBLE) return null;
  return (
    <div class="products cover" style={{ '--cell': `${size}px`, fontSize: `${font}px` }} aria-hidden="true">
      {products.map(({ term, row, col, counts, value, weight, colors }) => (
        <span
          key={`${row},${col}`}
          data-term={term}
          class={`products__one${counts ? ' products__one--counts' : ''}${isStacked ? ' products__one--stacked' : ''}`}
          style={{ left: `${col * size}px`, top: `${row * size}px`, ...colors }}
        >
          <span>{value}</span>
          <span class="products__weight">·{weight}</span>
        </span>
      ))}
    </div>
  );
}
