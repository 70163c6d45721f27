import { useId, useMemo } from 'preact/hooks';
import type { ColourScale } from '../colour-scale';
import { type Thumbnail, ThumbnailSheet, thumbnailHeight } from './ThumbnailSheet';

interface SliceChooserProps {
  /** "channel of x" */
  readonly label: string;
  /** What one slice is called before its number: "c". */
  readonly axis: string;
  readonly slices: readonly Thumbnail[];
  readonly scale: ColourScale;
  readonly selected: number;
  readonly onSelect: (index: number) => void;
}

/** A canvas has no more pixels a side than 16,384 in some browsers. */
const MOST_ON_A_SHEET = 128;

/** Small multiples: every slice of a tensor as a thumbnail, one of them chosen for a closer look. */
export function SliceChooser({ label, axis, slices, scale, selected, onSelect }: SliceChooserProps) {
  const name = useId();
  const sheets = useMemo(
    () =>
      Array.from({ length: Math.ceil(slices.length / MOST_ON_A_SHEET) }, (_, i) => ({
        first: i * MOST_ON_A_SHEET,
        thumbnails: slices.slice(i * MOST_ON_A_SHEET, (i + 1) * MOST_ON_A_SHEET),
      })),
    [slices],
  );
  return (
    <fieldset class="slices">
      <legend class="visually-hidden">{label}</legend>
      {sheets.map(({ first, thumbnails }) => (
        <ThumbnailSheet key={first} first={first} thumbnails={thumbnails} scale={scale} />
      ))}
      {slices.map(({ index, data, involved }) => (
        <label key={index} class={involved ? 'slices__item slices__item--involved' : 'slices__item'}>
          <input
            type="radio"
            name={name}
            aria-label={`${axis}=${index}`}
            checked={index === selected}
            onChange={() => onSelect(index)}
          />
          <span class="thumbnail" style={{ height: `${thumbnailHeight(data)}px` }} />
          <span class="slices__number" aria-hidden="true">
            {axis}={index}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
