import { useId } from 'preact/hooks';
import type { Geometry } from '../../protocol/problem';
import { accentOf } from '../kit/Panel';
import { formulaOf, type Operand, PRODUCTS, sizeOf } from './matrix-products';
import './lanes.css';

interface ProductCardsProps {
  readonly geometry: Geometry;
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** The three products side by side, each drawn as three rectangles in proportion. */
export function ProductCards({ geometry, value, onChange }: ProductCardsProps) {
  const name = useId();
  return (
    <fieldset class="lanes">
      <legend class="visually-hidden">product</legend>
      {PRODUCTS.map((product) => (
        <label key={product.id} class="lanes__card">
          <input
            class="covering"
            type="radio"
            name={name}
            value={product.id}
            aria-label={formulaOf(product)}
            checked={product.id === value}
            onChange={() => onChange(product.id)}
          />
          <span class="lanes__formula">{formulaOf(product)}</span>
          <span class="lanes__picture" aria-hidden="true">
            <Shape geometry={geometry} operand={product.a} />·<Shape geometry={geometry} operand={product.b} />=
            <Shape geometry={geometry} operand={product.c} />
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Longest and shortest side of a rectangle, in CSS pixels. */
const LONGEST = 34;
const SHORTEST = 4;

function Shape({ geometry: g, operand }: { readonly geometry: Geometry; readonly operand: Operand }) {
  const longest = Math.max(...PRODUCTS.flatMap(({ a, b }) => [a, b]).map((each) => Math.max(...sidesOf(g, each))));
  const [rows, cols] = sidesOf(g, operand);
  // Square root: beside the matrix of a photo the others stay visible.
  const side = (cells: number) => Math.max(SHORTEST, LONGEST * Math.sqrt(cells / longest));
  return (
    <span
      class="lanes__shape"
      style={{ width: `${side(cols)}px`, height: `${side(rows)}px`, '--accent': accentOf(operand.name) }}
    />
  );
}

function sidesOf(g: Geometry, operand: Operand): readonly [number, number] {
  const { rows, cols } = sizeOf(g, operand);
  return [rows, cols];
}
