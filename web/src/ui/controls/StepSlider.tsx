import { useId } from 'preact/hooks';
import './choice.css';
import './step-slider.css';

interface StepSliderProps {
  readonly label: string;
  /** The values, ascending. */
  readonly steps: readonly number[];
  readonly value: number;
  /** The value as text and for screen readers. */
  readonly text: string;
  readonly onChange: (value: number) => void;
}

/** A slider over a list of values with any distances. */
export function StepSlider({ label, steps, value, text, onChange }: StepSliderProps) {
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
