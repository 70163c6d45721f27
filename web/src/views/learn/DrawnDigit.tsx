// biome-ignore-all lint/a11y/useSemanticElements: a table has no cells that are painted; the ARIA grid pattern has the same meaning
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus is on the cells, rows are not focusable in an ARIA grid

import { useRef, useState } from 'preact/hooks';
import { DIGITS } from '../../protocol/digits';
import { BLANK, INK } from './digits-choice';

const { side } = DIGITS;
const LINES = Array.from({ length: side }, (_, i) => i);

const MOVES: Readonly<Record<string, readonly [row: number, col: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

const inside = (line: number) => Math.max(0, Math.min(side - 1, line));

/** A grid to draw on. A stroke paints, or erases if it begins on a painted cell. Arrow keys move, Space and Enter paint one cell. */
export function DrawnDigit({ drawn, onDraw }: { drawn: string; onDraw: (drawn: string) => void }) {
  const element = useRef<HTMLDivElement>(null);
  const [focus, setFocus] = useState(0);
  /** The letter of the stroke, and the drawing so far: events can come faster than answers. */
  const stroke = useRef<{ readonly letter: string; drawn: string } | null>(null);
  const letterAt = (index: number, of = drawn) => of[index] ?? '';
  const other = (index: number) => (letterAt(index) === INK ? (BLANK[0] ?? '') : INK);
  const painted = (of: string, index: number, letter: string) => `${of.slice(0, index)}${letter}${of.slice(index + 1)}`;
  const cellAt = ({ clientX, clientY }: PointerEvent) => {
    const box = element.current?.getBoundingClientRect();
    if (!box) return 0;
    const line = (at: number, size: number) => inside(Math.floor((at * side) / size));
    return line(clientY - box.top, box.height) * side + line(clientX - box.left, box.width);
  };
  const extend = (event: PointerEvent) => {
    const now = stroke.current;
    if (!now) return;
    const index = cellAt(event);
    if (letterAt(index, now.drawn) === now.letter) return;
    now.drawn = painted(now.drawn, index, now.letter);
    onDraw(now.drawn);
  };
  const end = () => {
    stroke.current = null;
  };
  return (
    <div
      ref={element}
      class="drawing"
      role="grid"
      aria-label="your digit"
      aria-rowcount={side}
      aria-colcount={side}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        stroke.current = { letter: other(cellAt(event)), drawn };
        extend(event);
      }}
      onPointerMove={extend}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={(event) => {
        const move = MOVES[event.key];
        if (move) {
          const [row, col] = [Math.floor(focus / side) + move[0], (focus % side) + move[1]];
          const next = inside(row) * side + inside(col);
          setFocus(next);
          element.current?.querySelectorAll<HTMLElement>('[role=gridcell]')[next]?.focus();
        } else if (event.key === ' ' || event.key === 'Enter') onDraw(painted(drawn, focus, other(focus)));
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {LINES.map((row) => (
        <div key={row} class="drawing__row" role="row">
          {LINES.map((col) => {
            const index = row * side + col;
            const isInk = letterAt(index) === INK;
            return (
              <div
                key={col}
                class={isInk ? 'drawing__cell drawing__cell--ink' : 'drawing__cell'}
                role="gridcell"
                tabIndex={index === focus ? 0 : -1}
                aria-label={`row ${row}, column ${col}: ${isInk ? 'painted' : 'empty'}`}
                onFocus={() => setFocus(index)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}
