import { useId, useState } from 'preact/hooks';
import { parseNumber } from '../numbers';
import './number-field.css';
import './message.css';
import './choice.css';

export interface NumberBounds {
  readonly min: number;
  readonly max: number;
  /** The reason for the bound: "a kernel has at least one row". */
  readonly minReason: string;
  readonly maxReason: string;
  /** The allowed values; null: all from min to max. */
  readonly values: readonly number[] | null;
}

/** A text field and a slider for a whole number. Text takes effect once it is valid; until then the field says why. */
export function NumberField({
  label,
  field,
  shortLabel,
  value,
  bounds,
  error,
  sliderMax,
  onChange,
}: {
  label: string;
  /** The id of the field, for code that looks it up. */
  field?: string | undefined;
  /** Shown in place of `label`, which stays the accessible name. */
  shortLabel?: string | undefined;
  value: number;
  bounds: NumberBounds;
  error?: string | null | undefined;
  /** The end of the slider, where the bound is too large for it. */
  sliderMax?: number | undefined;
  onChange: (value: number) => void;
}) {
  const id = useId();
  const [typed, setTyped] = useState<Typed | null>(null);
  // An undo or a link may change the value while text is typed: the text is then outdated.
  const current = typed && (typed.parsed === value || (typed.before === value && (typed.parsed === null || error)));
  const problem = current ? errorOf(typed.text, bounds) : null;
  const draft = current && !typed.done ? typed.text : null;
  const refused = current && typed.done && problem !== null ? `“${typed.text}” is not allowed. ${problem}` : null;
  const message = refused ?? (draft === null ? null : problem) ?? error ?? null;
  const end = Math.max(bounds.min, Math.min(bounds.max, Math.max(sliderMax ?? bounds.max, value)));

  const set = (next: number) => {
    if (next !== value) onChange(next);
  };
  const type = (text: string) => {
    const parsed = errorOf(text, bounds) === null ? parseNumber(text) : null;
    setTyped({ text, before: value, parsed, done: false });
    if (parsed !== null) set(parsed);
  };

  /** Removes invalid text; the reason stays until the next edit. */
  const leave = () => setTyped(typed && current && problem !== null ? { ...typed, done: true } : null);

  return (
    <div class="number-field" data-field={field}>
      <label class="number-field__label" for={id}>
        {shortLabel ? (
          <>
            <span aria-hidden="true">{shortLabel}</span>
            <span class="visually-hidden">{label}</span>
          </>
        ) : (
          label
        )}
      </label>
      {/* Not in the tab order: the text field has the same keys and name. */}
      <input
        type="range"
        class="number-field__slider"
        tabIndex={-1}
        aria-hidden="true"
        min={bounds.min}
        max={end}
        step={1}
        value={value}
        onInput={(event) => {
          setTyped(null);
          set(nearest(Number(event.currentTarget.value), bounds));
        }}
      />
      <input
        id={id}
        class="number-field__box"
        type="text"
        inputMode="numeric"
        autocomplete="off"
        role="spinbutton"
        aria-valuenow={value}
        aria-valuemin={bounds.min}
        aria-valuemax={bounds.max}
        aria-invalid={message !== null}
        aria-describedby={message ? `${id}-message` : undefined}
        value={draft ?? String(value)}
        onInput={(event) => type(event.currentTarget.value)}
        onBlur={leave}
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={(event) => {
          const by = STEPS[event.key];
          if (by !== undefined) {
            event.preventDefault();
            setTyped(null);
            set(stepped(value, by, bounds));
          }
          if (event.key === 'Enter') leave();
        }}
      />
      {/* Always rendered: a live region that appears with its text is not announced. An alert would interrupt each key. */}
      <div class="number-field__live" aria-live="polite">
        {message && (
          <p id={`${id}-message`} class="number-field__message">
            {message}
          </p>
        )}
      </div>
    </div>
  );
}

interface Typed {
  readonly text: string;
  readonly before: number;
  /** The value of the text, or null if it is not valid. */
  readonly parsed: number | null;
  /** Enter was pressed or the focus left: the field shows the current value. */
  readonly done: boolean;
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

/** Maximum number of allowed values in a message. */
const MOST_LISTED = 6;

function errorOf(text: string, { min, max, minReason, maxReason, values }: NumberBounds) {
  const typed = parseNumber(text);
  if (typed === null || !Number.isInteger(typed)) return `Enter a whole number from ${min} to ${max}.`;
  if (typed < min) return `At least ${min}: ${minReason}.`;
  if (typed > max) return `At most ${max}: ${maxReason}.`;
  if (values && !values.includes(typed)) {
    const allowed = values.length <= MOST_LISTED ? values.join(', ') : `${values.slice(0, MOST_LISTED).join(', ')} …`;
    return `One of ${allowed}: ${values[0] === 1 ? maxReason : minReason}.`;
  }
  return null;
}

function nearest(wanted: number, { min, max, values }: NumberBounds) {
  if (!values) return Math.max(min, Math.min(max, wanted));
  return values.reduce((best, value) => (Math.abs(value - wanted) < Math.abs(best - wanted) ? value : best), min);
}

/** The next allowed value in the direction of `by`. */
function stepped(value: number, by: number, bounds: NumberBounds) {
  if (!bounds.values) return nearest(value + by, bounds);
  const ahead = bounds.values.filter((allowed) => (by > 0 ? allowed > value : allowed < value));
  return (by > 0 ? ahead[0] : ahead.at(-1)) ?? value;
}

/** A slider over a list of values with any distances. */
export function StepSlider({
  label,
  steps,
  value,
  text,
  onChange,
}: {
  label: string;
  /** The values, ascending. */
  steps: readonly number[];
  value: number;
  /** The value as text and for screen readers. */
  text: string;
  onChange: (value: number) => void;
}) {
  const id = useId();
  return (
    <div class="step-slider">
      <label class="segmented__legend" for={id}>
        {label} <output class="step-slider__value">{text}</output>
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={steps.length - 1}
        step={1}
        value={steps.indexOf(value)}
        aria-valuetext={text}
        onInput={(event) => {
          const next = steps[Number(event.currentTarget.value)];
          if (next !== undefined) onChange(next);
        }}
      />
    </div>
  );
}
