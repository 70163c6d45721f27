import { useId, useState } from 'preact/hooks';
import { formatExact, parseNumber, refusal } from '../../ui/numbers';
import { Refusal } from '../../ui/Refusal';

interface ValueEditProps {
  /** The name of the cell. */
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/**
 * The value of a pinned cell as a field: the way to change it where there is no keyboard to type into the grid. What is
 * refused says why until the next edit.
 */
export function ValueEdit({ label, value, onChange }: ValueEditProps) {
  const id = useId();
  const [why, setWhy] = useState<string | null>(null);
  const commit = (box: HTMLInputElement) => {
    const refused = refusal(box.value);
    if (refused) setWhy(refused);
    const typed = refused ? null : parseNumber(box.value);
    if (typed !== null && typed !== value) onChange(typed);
    else box.value = formatExact(value);
  };
  return (
    <>
      <p class="value-edit">
        <label for={id}>value of {label}</label>
        <input
          // Another cell, or a value that changed elsewhere, starts a fresh text.
          key={`${label} ${value}`}
          id={id}
          type="text"
          autocomplete="off"
          defaultValue={formatExact(value)}
          aria-invalid={why !== null}
          onInput={() => setWhy(null)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit(event.currentTarget);
          }}
          onBlur={(event) => commit(event.currentTarget)}
        />
      </p>
      <Refusal why={why} />
    </>
  );
}
