import { useId, useMemo, useRef } from 'preact/hooks';
import type { ColourScale } from '../colour-scale';
import { type Thumbnail, ThumbnailSheet, thumbnailHeight } from './ThumbnailSheet';
import './slices.css';

interface SliceChooserProps {
  /** "channel of x" */
  readonly label: string;
  /** What one slice is called before its number: "c". */
  readonly axis: string;
  readonly slices: readonly Thumbnail[];
  readonly scale: ColourScale;
  readonly selected: number;
  /** Thumbnails that there is room for. */
  readonly most: number;
  readonly onSelect: (index: number) => void;
}

/** Thumbnails in a line of the sheet that has them all. */
const IN_A_LINE = 12;
/** The button that opens the sheet takes the room of so many. */
const BUTTON = 2;

/** Small multiples: the slices of a tensor as thumbnails, one of them chosen for a closer look. */
export function SliceChooser(props: SliceChooserProps) {
  const { label, axis, slices, selected, most } = props;
  const sheet = useRef<HTMLDivElement>(null);
  const id = useId();
  const cut = slices.length > most;
  const shown = cut ? around(slices, selected, Math.max(1, most - BUTTON)) : slices;
  const lines = useMemo(
    () =>
      Array.from({ length: Math.ceil(slices.length / IN_A_LINE) }, (_, i) =>
        slices.slice(i * IN_A_LINE, (i + 1) * IN_A_LINE),
      ),
    [slices],
  );
  return (
    <>
      <fieldset class="slices">
        <legend class="visually-hidden">{label}</legend>
        <span class="slices__axis" aria-hidden="true">
          {axis}
        </span>
        <Line {...props} slices={shown} />
        {cut && (
          <button
            type="button"
            class="slices__more"
            popovertarget={id}
            aria-label={`all ${slices.length}: ${label}`}
            title={`all ${slices.length}`}
          >
            {shown.length} of {slices.length}
          </button>
        )}
      </fieldset>
      {cut && (
        <div ref={sheet} id={id} class="slices__sheet-of-all" popover="auto">
          <p class="slices__title">{label}</p>
          {lines.map((line) => (
            <Line
              key={line[0]?.index}
              {...props}
              slices={line}
              onSelect={(index) => {
                props.onSelect(index);
                sheet.current?.hidePopover();
              }}
            />
          ))}
        </div>
      )}
    </>
  );
}

/** `count` slices with the selected one among them. */
function around(slices: readonly Thumbnail[], selected: number, count: number): readonly Thumbnail[] {
  const at = Math.max(
    0,
    slices.findIndex(({ index }) => index === selected),
  );
  const first = Math.max(0, Math.min(slices.length - count, at - Math.floor(count / 2)));
  return slices.slice(first, first + count);
}

function Line({ axis, slices, scale, selected, onSelect }: SliceChooserProps) {
  const name = useId();
  return (
    <div class="slices__line">
      <ThumbnailSheet thumbnails={slices} scale={scale} />
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
            {index}
          </span>
        </label>
      ))}
    </div>
  );
}
