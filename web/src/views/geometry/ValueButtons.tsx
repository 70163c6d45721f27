interface ValueButtonsProps {
  readonly label: string;
  readonly values: readonly number[];
  /** The value in use. */
  readonly current: number;
  readonly onPick: (value: number) => void;
}

/** Buttons at most; of more values, only the last is shown. */
const MOST = 16;

/** Buttons, one per value. */
export function ValueButtons({ label, values, current, onPick }: ValueButtonsProps) {
  const shown = values.slice(0, MOST);
  return (
    <fieldset class="values">
      <legend class="visually-hidden">{label}</legend>
      {shown.map((value) => (
        <button
          key={value}
          type="button"
          class="values__button"
          aria-pressed={value === current}
          onClick={() => {
            if (value !== current) onPick(value);
          }}
        >
          {value}
        </button>
      ))}
      {values.length > shown.length && <span class="values__note">… {values.at(-1)}</span>}
    </fieldset>
  );
}
