import type { PlaneSizes } from '../protocol/layers';
import type { Geometry, ResultName } from '../protocol/problem';
import type { Texts } from './code';

/** What views, code and exercises say of a kind of layer. F: its fields. */
export interface LayerView<F> {
  /** On its card. */
  formula(layer: Pick<LayerScene<F>, 'fields' | 'hasBias'>): string;
  /** Its fields in links and on its card; those of a convolution are the parts of size-table.ts. */
  readonly rows: readonly FieldRow<F>[];
  /** The fields of a new layer. */
  make(input: PlaneSizes): F;
  /** How a cell of y or dx was computed, with the numbers of the library. */
  explain: Readonly<Record<'y' | 'dx', (layer: LayerScene<F>, index: number) => readonly string[]>>;
  /** Marks of single cells. null: none in this tensor. */
  readonly marks?: Readonly<Partial<Record<'x' | 'y' | 'dx', (layer: LayerScene<F>) => CellMark>>>;
  /** Whether dy of a cell of y reaches a cell of x in its window; by default it does. */
  readonly passes?: (layer: LayerScene<F>, x: number, y: number) => boolean;
  /** What the marks mean, or how it is computed. */
  readonly legend?: string;
  /** Numbers on its card. */
  readonly table?: (layer: { readonly geometry: Geometry }) => LayerTable;
  /** The last hint for a hidden cell of y or dx, after its name; `own`: the name of the cell of x. */
  readonly exercise: Readonly<Record<'y' | 'dx', (terms: readonly NamedTerm[], own: string, cells: number) => string>>;
}

/** One field of a kind. */
export interface FieldRow<F> {
  /** In a link: max_pool;kernel:2. */
  readonly key: string;
  /** null: the default, which a link leaves out. */
  write(fields: F): string | null;
  /** `text` undefined: missing in the link. `before`: the fields of the rows above. null: the text is not valid. */
  read(text: string | undefined, before: Partial<F>): Partial<F> | null;
  /** Its control on the card of the layer. */
  readonly control?: FieldControl<F>;
}

export interface FieldControl<F> {
  readonly label: string;
  /** The values in the menu; a link can have others. */
  choices(fields: F, input: PlaneSizes): readonly number[];
  /** null: rows and columns differ. */
  value(fields: F): number | null;
  set(value: number, fields: F): F;
}

/** Rows of numbers, with a sentence on what they mean. */
export interface LayerTable {
  readonly caption: string;
  readonly cells: readonly (readonly number[])[];
  /** There are more rows or columns. */
  readonly isCut: boolean;
  readonly note: string;
}

/** Of a kind other than convolution, which has the code of a problem. */
export interface PlainView<F> extends LayerView<F> {
  /** Lines that compute y from x, in the dialects of snippets/languages.ts. */
  readonly code: Readonly<Record<Dialect, (layer: CodeSubject<F>) => Texts>>;
  /** Lines that compute dx from dy in NumPy, after those of y. */
  backward(layer: CodeSubject<F>): Texts;
  /** The library also writes the winner of each cell of y. */
  readonly hasWinners?: true;
  /** How far rounding can carry its results. */
  rounding(layer: CodeSubject<F>): readonly RoundedResult[];
}

export type Dialect = 'numpy' | 'pytorch' | 'tensorflow';

/** The cells that are hatched or outlined. */
export type CellMark = (index: number) => 'unread' | 'winner' | null;

/** A layer with the tensors around it, by their names in the view Network. */
export interface LayerScene<F> {
  readonly fields: F;
  readonly geometry: Geometry;
  readonly hasBias: boolean;
  /** "w2" */
  readonly weights: string;
  readonly winners: Int32Array | undefined;
  readonly averages: { readonly sums: Float32Array; readonly counts: Int32Array } | undefined;
  readonly x: NamedCells;
  readonly y: NamedCells;
  readonly dy: NamedCells;
  /** Indices of the cells of x that a cell of y is computed from. */
  reads(index: number): readonly number[];
  /** Indices of the cells of y that are computed from a cell of x. */
  usedBy(index: number): readonly number[];
}

export interface NamedCells {
  /** "y2" */
  readonly name: string;
  value(index: number): number;
  /** "y2[3,4]" */
  label(index: number): string;
}

/** A cell that a value is computed from, and the weight between them. */
export interface NamedTerm {
  readonly cell: string;
  readonly weight: string;
}

export interface CodeSubject<F> {
  readonly fields: F;
  readonly geometry: Geometry;
  readonly bias: boolean;
}

/** |result - exact| <= bound * 2^-24 * the largest sum of so many products of these tensors. */
export interface RoundedResult {
  readonly name: ResultName;
  readonly bound: number;
  readonly products: number;
  readonly of: readonly ('x' | 'w' | 'dy')[];
  /** Added to the sum. */
  readonly plus?: 'b';
}

export const exact = (name: RoundedResult['name']): RoundedResult => ({ name, bound: 0, products: 0, of: [] });

/** Roundings besides those of the sum: the bias, the quotient of a mean, and the last result. */
export const OTHER_ROUNDINGS = 3;

export const cellList = (terms: readonly NamedTerm[]): string => terms.map(({ cell }) => cell).join(', ');
export const cellSum = (terms: readonly NamedTerm[]): string => terms.map(({ cell }) => cell).join(' + ');

export const UNUSED = 'No window reads this cell: its gradient is 0.';

/** "1, 4, −2": at most 9 of them. */
const MOST_LISTED = 9;

export const listed = (texts: readonly string[]): string =>
  texts.length > MOST_LISTED ? `${texts.slice(0, MOST_LISTED).join(', ')}, …` : texts.join(', ');
