import { useId } from 'preact/hooks';
import type { Geometry } from '../../protocol/problem';
import { accentOf } from '../kit/Panel';
import { formulaOf, LANES, type Operand, sizeOf } from './lanes';
import './lanes.css';

interface LaneCardsProps {
  readonly geometry: Geometry;
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** The three products side by side, each drawn as three rectangles in proportion. */
export function LaneCards({ geometry, value, onChange }: LaneCardsProps) {
  const name = useId();
  return (
    <fieldset class="lanes">
      <legend class="visually-hidden">product</legend>
      {LANES.map((lane) => (
        <label key={lane.id} class="lanes__card">
          <input
            type="radio"
            name={name}
            value={lane.id}
            aria-label={formulaOf(lane)}
            checked={lane.id === value}
            onChange={() => onChange(lane.id)}
          />
          <span class="lanes__formula">{formulaOf(lane)}</span>
          <span class="lanes__picture" aria-hidden="true">
            <Shape geometry={geometry} operand={lane.a} />·<Shape geometry={geometry} operand={lane.b} />=
            <Shape geometry={geometry} operand={lane.c} />
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Longest side of a rectangle in CSS pixels, and the shortest that is seen. */
const LONGEST = 34;
const SHORTEST = 4;

function Shape({ geometry: g, operand }: { readonly geometry: Geometry; readonly operand: Operand }) {
  const longest = Math.max(...LANES.flatMap(({ a, b }) => [a, b]).map((each) => Math.max(...sidesOf(g, each))));
  const [rows, cols] = sidesOf(g, operand);
  // By the root, so that the matrix of a photo leaves something of the others.
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
