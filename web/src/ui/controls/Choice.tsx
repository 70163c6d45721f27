import { useId } from 'preact/hooks';

export interface Option<V extends string> {
  readonly value: V;
  readonly label: string;
  /** One line more, where there is room for it. */
  readonly hint?: string;
}

interface ChoiceProps<V extends string> {
  readonly label: string;
  readonly options: readonly Option<V>[];
  readonly value: V;
  readonly onChange: (value: V) => void;
  /** The label is for screen readers only. */
  readonly quiet?: boolean;
}

/** A few alternatives side by side: a group of radio buttons that looks like one switch. */
export function Segmented<V extends string>({ label, options, value, onChange, quiet }: ChoiceProps<V>) {
  const name = useId();
  return (
    <fieldset class="segmented">
      <legend class={quiet ? 'visually-hidden' : 'segmented__legend'}>{label}</legend>
      <div class="segmented__options">
        {options.map((option) => (
          <label key={option.value} class="segmented__option" title={option.hint}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface SelectProps<V extends string> extends ChoiceProps<V> {
  /** Shown when no option is in force (the values were changed by hand). */
  readonly placeholder?: string;
}

/** One of many: the platform's own list, which knows every device's habits. */
export function Select<V extends string>({ label, options, value, onChange, quiet, placeholder }: SelectProps<V>) {
  const id = useId();
  const known = options.some((option) => option.value === value);
  return (
    <div class="select">
      <label class={quiet ? 'visually-hidden' : 'select__label'} for={id}>
        {label}
      </label>
      <select
        id={id}
        class="select__box"
        value={known ? value : ''}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.currentTarget.value);
          if (chosen) onChange(chosen.value);
        }}
      >
        {!known && <option value="">{placeholder ?? 'custom'}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

interface CheckboxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function Checkbox({ label, checked, onChange }: CheckboxProps) {
  return (
    <label class="checkbox">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}
