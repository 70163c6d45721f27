import { cellAt, groupOfFilter, outputPositions, PLAIN_FORM, positionOf, windowCells } from '../../geometry/grid';
import { cellLabel } from '../../geometry/labels';
import { columnOfTap, outputOfRow, rowOfOutput, shownGrid, tapOfColumn } from '../../geometry/matrix';
import { pixelOfColumn } from '../../geometry/rules';
import type { Cell, Geometry, StageName, TensorName } from '../../protocol/problem';
import { formatCount } from '../../ui/quantities';
import { AROUND, LARGEST_TENSOR, largest, READABLE, type Room, showsValues } from './fit';
import { type Column, colsOf, rowsOf, type StageLayout, slicesOf, stripsOf, twin } from './stage/layout';
import { type Subject, tellingPosition } from './telling';

/** A matrix product of im2col: how it is drawn in a room, and its words. Pure. */

export type MatrixName = Extract<StageName, `${string}_col`>;

export interface Operand {
  readonly name: MatrixName;
  readonly transposed: boolean;
}

/** c = a · b. */
export interface Product {
  readonly a: Operand;
  readonly b: Operand;
  readonly c: Operand;
}

/** A product as it is drawn: whole or in part, with cells of one size. */
interface ShownProduct extends Product {
  /** c = a · b in a row; else b is above c, so that the row and the column of an entry meet in it. */
  readonly inRow: boolean;
  /** Least width of a panel in CSS pixels. */
  readonly title: number;
  /** Cell size in CSS pixels. */
  readonly cell: number;
  /** Visible rows and columns of c, and visible columns of a (rows of b). */
  readonly seen: Axes;
  readonly all: Axes;
}

export interface Axes {
  readonly rows: number;
  readonly cols: number;
  readonly inner: number;
}

/** What a matrix that is not transposed has a row and a column for. */
export const COUNTED: Readonly<Record<MatrixName, readonly [Counted, Counted]>> = {
  x_col: ['window', 'weight'],
  dx_col: ['window', 'weight'],
  w_col: ['weight', 'filter'],
  dw_col: ['weight', 'filter'],
  y_col: ['window', 'filter'],
  dy_col: ['window', 'filter'],
};
export type Counted = 'window' | 'weight' | 'filter';

function countedBy({ name, transposed }: Operand): readonly [Counted, Counted] {
  const [rows, cols] = COUNTED[name];
  return transposed ? [cols, rows] : [rows, cols];
}

export const symbolOf = ({ name, transposed }: Operand): string => (transposed ? `${name}ᵀ` : name);

/** "y_col = x_col · w_col" */
export const formulaOf = ({ a, b, c }: Product): string => `${symbolOf(c)} = ${symbolOf(a)} · ${symbolOf(b)}`;

/** Rows and columns of an operand as drawn. */
function sizeOf(g: Geometry, { name, transposed }: Operand) {
  const { row, col } = shownGrid(g, name, { ...PLAIN_FORM, transposed }).size;
  return { rows: row, cols: col };
}

function sizeText(g: Geometry, operand: Operand) {
  const { rows, cols } = sizeOf(g, operand);
  return `${formatCount(rows)} × ${formatCount(cols)}`;
}

/** Maximum number of entries of a matrix that the page draws. */
const MOST_ENTRIES = 4_000_000;

/** Entries of x_col, all groups. */
export const entriesOf = (g: Geometry): number => g.groups * outputPositions(g) * windowCells(g);

export const isMatrixDrawable = (g: Geometry): boolean => entriesOf(g) <= MOST_ENTRIES && entriesOf(g) > 0;

export function tooLargeText(g: Geometry): string {
  if (entriesOf(g) === 0) return 'No window fits, so x_col is empty.';
  return `x_col has ${formatCount(entriesOf(g))} entries, too many to draw. Make x smaller to see it. Fast algorithms also avoid the whole matrix: they build a few rows at a time.`;
}

/** Width of a title, on a stage and on a narrow screen, where a row has no sizes; with a subtitle; and of a digit of its size. */
const TITLES = { stage: 98, stack: 76 } as const;
const SUBTITLED = { words: 255, digit: 7 } as const;
/** The same of a tensor without a subtitle; and the height of the formula. */
const NARROW_TITLE = 80;
const FORMULA = 30;
/** Between the tensors in the corner, and between two matrices, for an operator; as in matrix-product.css. */
const GAP = 12;
const SIGN = 28;
/** In a row only with far larger cells: else this share is enough where row and column meet. */
const ENOUGH = 0.65;
/** Cells of a part; they show values if possible. */
const PART = { most: 36, least: 14 } as const;
/** Rows, columns and products that a part shows at least. */
const LEAST_SEEN = { outer: 9, inner: 8, inRow: 6 } as const;
/** The least height of a product in a stack, and that of one that scrolls, in CSS pixels. */
const STACKED = 240;
const SCROLLED = 640;

/** Room for the text that says that only a part is in view. */
const partHeight = (width: number) => 14 + 21 * Math.ceil(700 / Math.max(1, width - 24));
/** The same with the formula, above the left factor. */
const textHeight = (width: number, inPart: boolean) => 24 * Math.ceil(230 / width) + (inPart ? partHeight(width) : 14);

/** The product in a room: whole with the largest cells that fit, or a part that scrolls; null: it has no room in a row. */
function fitProduct(g: Geometry, product: Product, room: Room, title: number, inRow: boolean): ShownProduct | null {
  const { rows, cols } = sizeOf(g, product.c);
  const all = { rows, cols, inner: sizeOf(g, product.a).cols };
  const fits = (cell: number, axes: Axes, hasValues: boolean) => {
    const wide = (count: number) => Math.max(title, count * cell) + AROUND.frame;
    const tall = (count: number) => AROUND.head + AROUND.frame + count * cell + (hasValues ? 0 : AROUND.legend);
    const [left, right] = [wide(axes.inner), wide(axes.cols)];
    if (inRow) {
      const text = axes === all ? 0 : partHeight(room.width);
      const height = text + Math.max(tall(axes.inner), tall(axes.rows));
      return left + 2 * (right + SIGN) <= room.width && height <= room.height;
    }
    const corner = Math.max(tall(axes.inner), textHeight(left, axes !== all));
    return left + SIGN + right <= room.width && corner + tall(axes.rows) <= room.height;
  };
  const hasValues = (cell: number) =>
    [product.a, product.b, product.c].every((operand) => {
      const size = sizeOf(g, operand);
      return showsValues(size.rows, size.cols, cell);
    });
  const shown = { ...product, inRow, title, all };
  const cell = largest(LARGEST_TENSOR, (size) => fits(size, all, hasValues(size)));
  if (cell >= READABLE) return { ...shown, cell, seen: all };
  const outer = inRow ? LEAST_SEEN.inRow : LEAST_SEEN.outer;
  const least = {
    rows: Math.min(rows, outer),
    cols: Math.min(cols, outer),
    inner: Math.min(all.inner, inRow ? LEAST_SEEN.inRow : LEAST_SEEN.inner),
  };
  const fitted = largest(PART.most, (size) => fits(size, least, size >= READABLE));
  if (inRow && fitted < PART.least) return null;
  const most = Math.max(PART.least, fitted);
  const partWith = (size: number): ShownProduct => {
    const grown = (axis: keyof Axes, seen: Axes): Axes => {
      let count = seen[axis];
      while (count < all[axis] && fits(size, { ...seen, [axis]: count + 1 }, size >= READABLE)) count += 1;
      return { ...seen, [axis]: count };
    };
    const seen = grown('rows', grown('cols', grown('inner', least)));
    return { ...shown, cell: size, seen };
  };
  // Smaller cells with values, where their tensors then fit above the left factor.
  let best = partWith(most);
  for (let size = most - 1; size >= READABLE; size -= 1) {
    const part = partWith(size);
    if (cornerTensors(g, part).length > 0 && areaOf(g, part) > areaOf(g, best)) best = part;
  }
  return best;
}

/** Area of the cells of a product and of the tensors above its left factor. */
function areaOf(g: Geometry, shown: ShownProduct) {
  const { cell, seen } = shown;
  const { rows, cols, inner } = seen;
  const corner = cornerTensors(g, shown).reduce((sum, name) => sum + rowsOf(g, name) * colsOf(g, name), 0);
  return (rows * cols + rows * inner + inner * cols + corner) * cell ** 2;
}

/** A product as the page draws it: readable, if it can be. A stack scrolls for that. */
export function shownProduct(g: Geometry, product: Product, layout: StageLayout): ShownProduct {
  const { arrangement, width, sight } = layout;
  const isStage = arrangement === 'stage';
  const digits = Math.max(...[product.a, product.b, product.c].map((operand) => sizeText(g, operand).length));
  const name = TITLES[arrangement];
  const title = name + SUBTITLED.digit * digits;
  const room = { width, height: isStage ? sight : Math.max(sight, STACKED) };
  const row = fitProduct(g, product, room, isStage ? title : name, true);
  const meeting = fitProduct(g, product, room, title, false);
  const isRow = row !== null && row.cell >= READABLE;
  if (!meeting || (isRow && meeting.cell < READABLE)) return row as ShownProduct;
  if (!isStage && !isRow && meeting.cell < READABLE)
    return fitProduct(g, product, { width, height: SCROLLED }, title, false) ?? meeting;
  if (!row) return meeting;
  const isReadable = meeting.seen === meeting.all && meeting.cell >= Math.max(READABLE, ENOUGH * row.cell);
  const isLarger = row.seen !== row.all && areaOf(g, meeting) >= areaOf(g, row);
  return isReadable || isLarger ? meeting : row;
}

/** What its rows and columns are, if a title of `width` CSS pixels has room. */
export function subtitleOf(g: Geometry, operand: Operand, width: number): string {
  const [rows, cols] = countedBy(operand);
  return width < SUBTITLED.words + SUBTITLED.digit * sizeText(g, operand).length ? '' : `row: ${rows}, column: ${cols}`;
}

export const isPartial = ({ seen, all }: Pick<ShownProduct, 'seen' | 'all'>): boolean =>
  seen.rows < all.rows || seen.cols < all.cols || seen.inner < all.inner;

/** Says that only a part is in view. */
export function partText({ a, c, seen, all }: ShownProduct): string {
  const [rows, cols] = countedBy(c);
  const axes = [
    { word: countedBy(a)[1], seen: seen.inner, all: all.inner },
    { word: rows, seen: seen.rows, all: all.rows },
    { word: cols, seen: seen.cols, all: all.cols },
  ];
  const cut = axes
    .filter((axis) => axis.seen < axis.all)
    .map((axis) => `${formatCount(axis.seen)} of ${formatCount(axis.all)} ${axis.word}s`);
  return `In view: ${cut.join(' and ')}. Drag a matrix, or use its arrow keys; the others follow.`;
}

/** How the marked entry follows from its row and column, in the words of the picture. */
export function productSentence(g: Geometry, { a, b, c, all }: ShownProduct, cell: Cell): string {
  const p = positionOf(g, cell);
  const name = cellLabel(g, cell);
  if (cell.tensor !== c.name) return `${name}: dashed outlines are the cells that use it. ${formulaOf({ a, b, c })}.`;
  const [row, col] = c.transposed ? [p.col, p.row] : [p.row, p.col];
  const products = all.inner === 1 ? '1 product' : `the sum of ${formatCount(all.inner)} products`;
  return `${name} = row ${row} of ${symbolOf(a)} times column ${col} of ${symbolOf(b)}: ${products}.`;
}

/** The matrix entry of a cell of y, dy, w or dw. */
function matrixCellOf(g: Geometry, cell: Cell) {
  const p = positionOf(g, cell);
  const at = (name: MatrixName, filter: number, row: number) =>
    cellAt(g, name, { slice: groupOfFilter(g, filter), row, col: filter % g.group_k, channel: 0 });
  const window = () => rowOfOutput(g, p);
  switch (cell.tensor) {
    case 'y':
      return at('y_col', p.channel, window());
    case 'dy':
      return at('dy_col', p.channel, window());
    case 'w':
      return at('w_col', p.slice, columnOfTap(g, p));
    case 'dw':
      return at('dw_col', p.slice, columnOfTap(g, p));
    default:
      return cell.tensor.endsWith('_col') ? cell : null;
  }
}

/** The tensors of the matrices, as many as fit above the left factor with its cells: the tallest beside the others. */
export function cornerTensors(g: Geometry, shown: ShownProduct): readonly TensorName[] {
  if (shown.inRow) return [];
  const names = [shown.a, shown.b, shown.c]
    .map(({ name }) => name.replace('_col', '') as TensorName)
    .filter((name) => name !== 'dx')
    .sort((one, other) => rowsOf(g, other) - rowsOf(g, one));
  while (names.length > 0 && !fitCorner(g, names, shown)) names.pop();
  return names;
}

function fitCorner(g: Geometry, names: readonly TensorName[], { cell, seen, all }: ShownProduct) {
  const [first, ...others] = names;
  if (!first) return false;
  const wide = (name: TensorName) =>
    Math.max(NARROW_TITLE, stripsOf(g, twin(name) as Column), colsOf(g, name) * cell) + AROUND.frame;
  const strip = (name: TensorName) => (slicesOf(g, name).length > 0 ? AROUND.strip : 0);
  const tall = (name: TensorName) => AROUND.head + AROUND.frame + AROUND.note + rowsOf(g, name) * cell + strip(name);
  const width = wide(first) + (others.length > 0 ? GAP + Math.max(...others.map(wide)) : 0);
  const height = Math.max(
    tall(first),
    others.reduce((sum, name) => sum + tall(name) - AROUND.note, 0),
  );
  const room = { width: seen.inner * cell + AROUND.frame, height: seen.inner * cell + AROUND.head };
  const text = isPartial({ seen, all }) ? textHeight(room.width, true) : FORMULA;
  return width <= room.width && height + text <= room.height;
}

/** The cell of a tensor that an entry of a matrix is, or is a copy of; null for a copy of padding or of dx. */
export function tensorCellOf(g: Geometry, cell: Cell): Cell | null {
  const p = positionOf(g, cell);
  const channel = p.slice * g.group_k + p.col;
  switch (cell.tensor) {
    case 'x_col':
      return cellAt(g, 'x', pixelOfColumn(g, p));
    case 'y_col':
    case 'dy_col': {
      const { n, row, col } = outputOfRow(g, p.row);
      return cellAt(g, cell.tensor === 'y_col' ? 'y' : 'dy', { slice: n, row, col, channel });
    }
    case 'w_col':
    case 'dw_col':
      return cellAt(g, cell.tensor === 'w_col' ? 'w' : 'dw', { ...tapOfColumn(g, p.row), slice: channel });
    default:
      return null;
  }
}

/** The entry that is marked: the selected one, if it is of a matrix of the product, else the telling one of the result. */
export function entryOf(of: Subject, { a, b, c }: Product, selected: Cell | null, filter: number): Cell {
  const { geometry: g } = of;
  const cell = selected && matrixCellOf(g, selected);
  if (cell && [a, b, c].some(({ name }) => name === cell.tensor)) return cell;
  const entry = (name: MatrixName, row: number, col: number) =>
    cellAt(g, name, { slice: groupOfFilter(g, filter), row, col, channel: 0 }) ?? { tensor: name, index: 0 };
  const tap = (tensor: 'w' | 'dw') => columnOfTap(g, tellingPosition(of, tensor));
  const window = (tensor: 'y' | 'dy') => rowOfOutput(g, tellingPosition(of, tensor));
  if (c.name === 'y_col') return entry(c.name, window('y'), filter % g.group_k);
  if (c.name === 'dw_col') return entry(c.name, tap('dw'), filter % g.group_k);
  return entry(c.name, window('dy'), tap('w'));
}
