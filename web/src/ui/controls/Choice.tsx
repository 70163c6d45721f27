import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useId, useRef, useState } from 'preact/hooks';
import { Button } from './Button';
import './choice.css';

/** A value that an option can have. In the document it is a text. */
type Optional = string | number | boolean | null;

export interface Option<V extends Optional> {
  readonly value: V;
  /** Default: the value. */
  readonly label?: string;
  /** The accessible name, if it is more than the label. */
  readonly name?: string;
  readonly hint?: string;
}

interface OptionsProps<V extends Optional> {
  readonly label: string;
  readonly options: readonly Option<V>[];
  /** null: none of them, unless it is one. */
  readonly value: V | null;
  readonly onChange: (value: V) => void;
  /** The label is visible to screen readers only. */
  readonly quiet?: boolean;
}

/** Largest width of a hint, as in choice.css. */
const HINT_WIDTH = 260;

/** The hint of the option under keyboard focus or touch. A mouse gets the tooltip. */
function useHint() {
  // With its position in the window, in CSS pixels.
  const [hint, setHint] = useState<{ readonly text: string; readonly left: number; readonly top: number } | null>(null);
  const hide = useCallback(() => setHint(null), []);
  const show = (option: Element, text: string | undefined) => {
    const { left, bottom } = option.getBoundingClientRect();
    setHint(text ? { text, left: Math.max(4, Math.min(left, innerWidth - HINT_WIDTH - 4)), top: bottom + 4 } : null);
  };
  useEffect(() => {
    if (!hint) return;
    // In some browsers a touch elsewhere does not move the focus.
    const ends = ['pointerdown', 'scroll'] as const;
    for (const end of ends) document.addEventListener(end, hide, true);
    return () => {
      for (const end of ends) document.removeEventListener(end, hide, true);
    };
  }, [hint, hide]);
  return { hint, show, hide };
}

/** A few options side by side: a group of radio buttons. */
export function Segmented<V extends Optional>({ label, options, value, onChange, quiet }: OptionsProps<V>) {
  const name = useId();
  const { hint, show, hide } = useHint();
  return (
    <fieldset class="segmented" onFocusOut={hide}>
      <legend class={quiet ? 'visually-hidden' : 'segmented__legend'}>{label}</legend>
      <div class="segmented__options">
        {options.map((option) => (
          <label
            key={String(option.value)}
            class="segmented__option"
            title={option.hint}
            onPointerUp={(event) => {
              if (event.pointerType === 'touch') show(event.currentTarget, option.hint);
            }}
          >
            <input
              class="covering"
              type="radio"
              name={name}
              value={String(option.value)}
              checked={option.value === value}
              aria-label={option.name}
              aria-description={option.hint}
              onChange={() => onChange(option.value)}
              onFocus={(event) => {
                const { currentTarget: radio } = event;
                if (radio.matches(':focus-visible')) show(radio, option.hint);
              }}
              onKeyDown={(event) => {
                if (event.key === 'Escape') hide();
              }}
            />
            <span>{option.label ?? String(option.value)}</span>
          </label>
        ))}
      </div>
      {hint && (
        <p class="segmented__hint small" style={{ left: `${hint.left}px`, top: `${hint.top}px` }} aria-hidden="true">
          {hint.text}
        </p>
      )}
    </fieldset>
  );
}

interface SelectProps<V extends Optional> extends OptionsProps<V> {
  /** More options under headings, after the plain ones. */
  readonly groups?: readonly Pick<OptionsProps<V>, 'label' | 'options'>[];
  /** Shown when no option matches (the values were edited). */
  readonly placeholder?: string;
}

/** One of many options: the browser's own select element. */
export function Select<V extends Optional>(props: SelectProps<V>) {
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
        value={known ? String(value) : ''}
        onChange={(event) => {
          const chosen = all.find((option) => String(option.value) === event.currentTarget.value);
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

function renderOptions<V extends Optional>(options: readonly Option<V>[]) {
  return options.map(({ value, label = String(value) }) => (
    <option key={String(value)} value={String(value)}>
      {label}
    </option>
  ));
}

export function Checkbox({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label class="checkbox row">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

export function FileButton({
  children,
  label,
  accept,
  multiple,
  onFile,
}: {
  children: ComponentChildren;
  /** The accessible name of the file field. */
  label: string;
  accept: string;
  multiple?: boolean;
  onFile: (file: File, all: readonly File[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => input.current?.click()}>{children}</Button>
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        accept={accept}
        multiple={multiple}
        aria-label={label}
        tabIndex={-1}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          // Without this, choosing the same file again fires no event.
          event.currentTarget.value = '';
          if (files[0]) onFile(files[0], files);
        }}
      />
    </>
  );
}
