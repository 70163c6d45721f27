import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { RefusalNotice } from '../notices';
import { formatExact, parseNumber, refusal } from '../numbers';
import { type EditStart, type GridData, type GridEvents, type Spot, sized, spotKind, valueAt } from './grid-data';

/** A cell in CSS pixels. */
type Place = Readonly<Record<'x' | 'y' | 'size', number>>;

/** Edits cells of a grid in place: `begin` opens a text box over a cell; `box` renders it. `focus`: focuses a cell. */
export function useCellEdit(label: string, data: GridData, onEdit: GridEvents['onEdit'], focus: (cell: Spot) => void) {
  // `number` distinguishes edits of the same cell.
  const [editing, setEditing] = useState<(EditStart & { readonly number: number }) | null>(null);
  const edits = useRef(0);
  const begin = (start: EditStart) => {
    edits.current += 1;
    setEditing({ ...start, number: edits.current });
  };
  const box = (placeOf: (cell: Spot) => Place) => {
    if (!editing) return null;
    const { cell, typed, number } = editing;
    const initial = spotKind(data, cell) === 'hidden' ? '' : formatExact(valueAt(data, cell));
    return (
      <EditBox
        key={number}
        {...placeOf(cell)}
        label={`new value for ${label} row ${cell.row}, column ${cell.col}`}
        initial={typed ?? initial}
        typed={typed !== null}
        onDone={(value) => {
          setEditing(null);
          focus(cell);
          if (value !== null && !Object.is(value, valueAt(data, cell))) onEdit?.(cell, value);
        }}
      />
    );
  };
  return { begin, box };
}

interface EditBoxProps extends Place {
  readonly label: string;
  readonly initial: string;
  /** The text was started by typing: the cursor is at its end instead of selecting it. */
  readonly typed: boolean;
  /** Called with a finite number, or null if the edit was cancelled. */
  readonly onDone: (value: number | null) => void;
}

const MIN_WIDTH = 64;

/** Enter and blur commit, Esc cancels. Why a text is refused stays below the cell until the next edit. */
function EditBox({ label, initial, typed, x, y, size, onDone }: EditBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const [why, setWhy] = useState<string | null>(null);
  const [left, setLeft] = useState(false);
  // Enter removes the box, which blurs it: the second commit is ignored.
  const done = useRef(false);
  const finish = (text: string | null) => {
    if (done.current) return;
    const refused = text === null ? null : refusal(text);
    setWhy(refused);
    if (refused) return;
    done.current = true;
    onDone(text === null ? null : parseNumber(text));
  };

  // In a layout effect, before the next key event: fast typing must not reach the cell behind the box.
  useLayoutEffect(() => {
    const box = input.current;
    box?.focus();
    box?.setSelectionRange(typed ? box.value.length : 0, box.value.length);
  }, [typed]);

  const width = Math.max(size, MIN_WIDTH);
  const height = Math.max(size, 28);
  return (
    <>
      {!left && (
        <input
          ref={input}
          class="edit-box"
          style={{ left: `${x + (size - width) / 2}px`, top: `${y}px`, ...sized(width, height) }}
          aria-label={label}
          aria-invalid={why !== null}
          inputMode="text"
          autocomplete="off"
          spellcheck={false}
          defaultValue={initial}
          onInput={() => setWhy(null)}
          onKeyDown={(event) => {
            event.stopPropagation();
            if (event.key === 'Enter') finish(event.currentTarget.value);
            if (event.key === 'Escape') finish(null);
          }}
          onBlur={(event) => {
            finish(event.currentTarget.value);
            setLeft(true);
          }}
          onPointerDown={(event) => event.stopPropagation()}
        />
      )}
      <div class="edit-note" style={{ left: `${x}px`, top: `${y + height}px` }}>
        <RefusalNotice why={why} />
      </div>
    </>
  );
}
