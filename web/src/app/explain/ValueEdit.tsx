import { useId, useState } from 'preact/hooks';
import { Refusal } from '../../ui/notices';
import { formatExact, parseNumber, refusal } from '../../ui/numbers';

interface ValueEditProps {
  /** The name of the cell. */
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** A text box for the value of a pinned cell, for devices without a keyboard. Shows errors until the next edit. */
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
          // Resets the text for another cell, or when the value changes elsewhere.
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
