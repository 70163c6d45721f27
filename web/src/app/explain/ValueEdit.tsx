import { useId } from 'preact/hooks';
import { formatExact, parseNumber } from '../../ui/numbers';

interface ValueEditProps {
  /** The name of the cell. */
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** The value of a pinned cell as a field: the way to change it where there is no keyboard to type into the grid. */
export function ValueEdit({ label, value, onChange }: ValueEditProps) {
  const id = useId();
  const commit = (box: HTMLInputElement) => {
    const typed = parseNumber(box.value);
    if (typed !== null && typed !== value) onChange(typed);
    else box.value = formatExact(value);
  };
  return (
    <p class="value-edit">
      <label for={id}>value of {label}</label>
      <input
        // Another cell, or a value that changed elsewhere, starts a fresh text.
        key={`${label} ${value}`}
        id={id}
        type="text"
        autocomplete="off"
        defaultValue={formatExact(value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit(event.currentTarget);
        }}
        onBlur={(event) => commit(event.currentTarget)}
      />
    </p>
  );
}
