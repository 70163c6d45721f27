import { useId } from 'preact/hooks';
import type { ColourScale } from '../colour-scale';
import type { GridData } from './grid-data';
import { Thumbnail } from './Thumbnail';

export interface Slice {
  readonly index: number;
  readonly data: GridData;
  /** Has a part in what is being explained. */
  readonly involved: boolean;
}

interface SliceChooserProps {
  /** "channel of x" */
  readonly label: string;
  /** What one slice is called before its number: "c". */
  readonly axis: string;
  readonly slices: readonly Slice[];
  readonly scale: ColourScale;
  readonly selected: number;
  readonly onSelect: (index: number) => void;
}

/** Small multiples: every slice of a tensor as a thumbnail, one of them chosen for a closer look. */
export function SliceChooser({ label, axis, slices, scale, selected, onSelect }: SliceChooserProps) {
  const name = useId();
  return (
    <fieldset class="slices">
      <legend class="visually-hidden">{label}</legend>
      {slices.map(({ index, data, involved }) => (
        <label key={index} class={involved ? 'slices__item slices__item--involved' : 'slices__item'}>
          <input
            type="radio"
            name={name}
            aria-label={`${axis}=${index}`}
            checked={index === selected}
            onChange={() => onSelect(index)}
          />
          <Thumbnail data={data} scale={scale} />
          <span class="slices__number" aria-hidden="true">
            {axis}={index}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
