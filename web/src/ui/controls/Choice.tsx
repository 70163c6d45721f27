import { useId } from 'preact/hooks';
import './choice.css';

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

export interface OptionGroup<V extends string> {
  readonly label: string;
  readonly options: readonly Option<V>[];
}

interface SelectProps<V extends string> extends ChoiceProps<V> {
  /** More options under headings, after the plain ones. */
  readonly groups?: readonly OptionGroup<V>[];
  /** Shown when no option is in force (the values were changed by hand). */
  readonly placeholder?: string;
}

/** One of many: the platform's own list, which knows every device's habits. */
export function Select<V extends string>(props: SelectProps<V>) {
  const { label, options, groups = [], value, onChange, quiet, placeholder } = props;
  const all = [...options, ...groups.flatMap((group) => group.options)];
  const id = useId();
  const known = all.some((option) => option.value === value);
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
          const chosen = all.find((option) => option.value === event.currentTarget.value);
          if (chosen) onChange(chosen.value);
        }}
      >
        {!known && <option value="">{placeholder ?? 'custom'}</option>}
        {renderOptions(options)}
        {groups.map((group) => (
          <optgroup key={group.label} label={group.label}>
            {renderOptions(group.options)}
          </optgroup>
        ))}
      </select>
    </div>
  );
}

function renderOptions<V extends string>(options: readonly Option<V>[]) {
  return options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
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
