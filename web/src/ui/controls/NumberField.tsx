import { useId, useState } from 'preact/hooks';
import { parseNumber } from '../numbers';
import './number-field.css';
import './message.css';

export interface NumberBounds {
  readonly min: number;
  readonly max: number;
  /** Why the bound is where it is: "there must be one". */
  readonly minReason: string;
  readonly maxReason: string;
  /** The only values allowed between min and max; null: all. */
  readonly values: readonly number[] | null;
}

interface NumberFieldProps {
  readonly label: string;
  /** Which number it is: what points at the field finds it by this. */
  readonly field?: string | undefined;
  /** Shown instead of `label` where the surroundings say the rest; the accessible name stays `label`. */
  readonly shortLabel?: string | undefined;
  readonly value: number;
  readonly bounds: NumberBounds;
  /** What is wrong with the value that was accepted or refused last. */
  readonly error?: string | null | undefined;
  /** The end of the slider, where the bound is too far for it. */
  readonly sliderMax?: number | undefined;
  readonly onChange: (value: number) => void;
}

/**
 * A whole number with a slider twin. What is typed counts as soon as it is a number within the bounds; until then the
 * last value stays in force and the field says what it is waiting for.
 */
export function NumberField({ label, field, shortLabel, value, bounds, error, sliderMax, onChange }: NumberFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState<Typed | null>(null);
  // An undo or a link may change the value under a text that is still there: then the text is of the past.
  const current = typed && (typed.meant === value || (typed.before === value && (typed.meant === null || error)));
  const complaint = current ? complaintAbout(typed.text, bounds) : null;
  const draft = current && !typed.left ? typed.text : null;
  const refused = current && typed.left && complaint !== null ? `“${typed.text}” was not taken. ${complaint}` : null;
  const message = refused ?? (draft === null ? null : complaint) ?? error ?? null;
  const end = Math.max(bounds.min, Math.min(bounds.max, Math.max(sliderMax ?? bounds.max, value)));

  const set = (next: number) => {
    if (next !== value) onChange(next);
  };
  const type = (text: string) => {
    const meant = complaintAbout(text, bounds) === null ? parseNumber(text) : null;
    setTyped({ text, before: value, meant, left: false });
    if (meant !== null) set(meant);
  };

  /** What is no value goes; why it is none stays to be read, until the next edit. */
  const leave = () => setTyped(typed && current && complaint !== null ? { ...typed, left: true } : null);

  return (
    <div class={message ? 'number-field number-field--wrong' : 'number-field'} data-field={field}>
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
      {/* The box has the same keys and name; a second stop with the same meaning would only be in the way. */}
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
      {message && (
        <p id={`${id}-message`} class="number-field__message" role="alert">
          {message}
        </p>
      )}
    </div>
  );
}

/** What stands in the box while somebody types. */
interface Typed {
  readonly text: string;
  /** The value before. */
  readonly before: number;
  /** The value that the text stands for, or null while it is none that can be. */
  readonly meant: number | null;
  /** It was entered, or left: the box shows the value in force again. */
  readonly left: boolean;
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

/** Lists longer than this are described by their reason alone. */
const MOST_LISTED = 6;

/** What keeps the text from being a value, or null. */
function complaintAbout(text: string, { min, max, minReason, maxReason, values }: NumberBounds): string | null {
  const typed = parseNumber(text);
  if (typed === null || !Number.isInteger(typed)) return `A whole number from ${min} to ${max}.`;
  if (typed < min) return `At least ${min}: ${minReason}.`;
  if (typed > max) return `At most ${max}: ${maxReason}.`;
  if (values && !values.includes(typed)) {
    const allowed = values.length <= MOST_LISTED ? values.join(', ') : `${values.slice(0, MOST_LISTED).join(', ')} …`;
    return `One of ${allowed}: ${values[0] === 1 ? maxReason : minReason}.`;
  }
  return null;
}

/** The allowed value next to `wanted`. */
function nearest(wanted: number, { min, max, values }: NumberBounds): number {
  if (!values) return Math.max(min, Math.min(max, wanted));
  return values.reduce((best, value) => (Math.abs(value - wanted) < Math.abs(best - wanted) ? value : best), min);
}

/** A step further in the wanted direction, over values that are not allowed. */
function stepped(value: number, by: number, bounds: NumberBounds): number {
  if (!bounds.values) return nearest(value + by, bounds);
  const ahead = bounds.values.filter((allowed) => (by > 0 ? allowed > value : allowed < value));
  return (by > 0 ? ahead[0] : ahead.at(-1)) ?? value;
}
