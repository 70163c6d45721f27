import { useLayoutEffect, useRef } from 'preact/hooks';
import { parseNumber } from '../numbers';
import './edit-box.css';

interface EditBoxProps {
  readonly label: string;
  readonly initial: string;
  /** The text was begun by typing: go on behind it instead of selecting it. */
  readonly typed: boolean;
  /** Position of the cell in CSS pixels. */
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** Gets a finite number; null when the text is none or the edit was given up. */
  readonly onDone: (value: number | null) => void;
}

const MIN_WIDTH = 64;

/** A text box laid over one cell. Enter and leaving it commit, Esc gives up; text that is no number changes nothing. */
export function EditBox({ label, initial, typed, x, y, size, onDone }: EditBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  // Enter removes the box, which blurs it: the second report of one edit is dropped.
  const done = useRef(false);
  const finish = (value: number | null) => {
    if (done.current) return;
    done.current = true;
    onDone(value);
  };

  // Before the next key arrives: what is typed fast must not fall on the cell behind the box.
  useLayoutEffect(() => {
    const box = input.current;
    box?.focus();
    box?.setSelectionRange(typed ? box.value.length : 0, box.value.length);
  }, [typed]);

  const width = Math.max(size, MIN_WIDTH);
  return (
    <input
      ref={input}
      class="edit-box"
      style={{
        left: `${x + (size - width) / 2}px`,
        top: `${y}px`,
        width: `${width}px`,
        height: `${Math.max(size, 28)}px`,
      }}
      aria-label={label}
      inputMode="text"
      autocomplete="off"
      spellcheck={false}
      defaultValue={initial}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') finish(parseNumber(event.currentTarget.value));
        if (event.key === 'Escape') finish(null);
      }}
      onBlur={(event) => finish(parseNumber(event.currentTarget.value))}
      onPointerDown={(event) => event.stopPropagation()}
    />
  );
}
