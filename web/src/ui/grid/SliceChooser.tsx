import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ColorScale } from '../color-scale';
import { type Thumbnail, ThumbnailSheet, thumbnailHeight } from './MiniMap';
import './slices.css';

interface SliceChooserProps {
  /** "channel of x" */
  readonly label: string;
  /** The letter before the index of a slice: "c". */
  readonly axis: string;
  /** Indices of the slices: `count` of them from `first`. */
  readonly first: number;
  readonly count: number;
  /** Called for visible slices only; the same function until the slices change. */
  readonly sliceAt: (index: number) => Thumbnail;
  readonly scale: ColorScale;
  readonly selected: number;
  /** Maximum number of thumbnails in the row. */
  readonly most: number;
  readonly onSelect: (index: number) => void;
}

/** Thumbnails in a line of the popover. */
const IN_A_LINE = 12;
/** Width of the button that opens the popover, in thumbnails. */
const BUTTON = 2;

export function SliceChooser(props: SliceChooserProps) {
  const { label, axis, first, count, selected, most } = props;
  const sheet = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const id = useId();
  const cut = count > most;
  const shown = cut ? Math.max(1, most - BUTTON) : count;
  // Includes the selected one.
  const from = first + Math.max(0, Math.min(count - shown, selected - first - Math.floor(shown / 2)));
  return (
    <>
      <fieldset class="slices">
        <legend class="visually-hidden">{label}</legend>
        <span class="slices__axis soft" aria-hidden="true">
          {axis}
        </span>
        <Line {...props} first={from} count={shown} />
        {cut && (
          <button
            type="button"
            class="slices__more caption"
            popovertarget={id}
            aria-label={`${shown} of ${count}, show all: ${label}`}
            title={`Show all ${count}`}
          >
            {shown} of {count}
          </button>
        )}
      </fieldset>
      {cut && (
        <div
          ref={sheet}
          id={id}
          class="slices__sheet-of-all"
          popover="auto"
          onBeforeToggle={(event) => {
            if (event.newState === 'open') setOpen(true);
          }}
          // After it is closed: the browser moves the focus from its content back to the button.
          onToggle={(event) => {
            if (event.newState === 'closed') setOpen(false);
          }}
        >
          {open && (
            <>
              <p class="slices__title">{label}</p>
              <Lines
                {...props}
                onSelect={(index) => {
                  props.onSelect(index);
                  sheet.current?.hidePopover();
                }}
              />
            </>
          )}
        </div>
      )}
    </>
  );
}

/** Height of a line (as in slices.css), and of the scrolling box before it is measured, in CSS pixels. */
const LINE = 39;
const UNMEASURED = 600;

/** All slices, line by line; invisible lines are not rendered. */
function Lines(props: SliceChooserProps) {
  const { first, count, selected } = props;
  const lines = Math.ceil(count / IN_A_LINE);
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const chosen = useRef(Math.floor((selected - first) / IN_A_LINE));
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = (chosen.current - 1) * LINE;
  }, []);
  const sight = visibleLines(lines, LINE, top, box.current?.clientHeight || UNMEASURED);
  return (
    <div ref={box} class="slices__lines" onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
      <div style={{ height: `${lines * LINE}px`, paddingTop: `${sight.first * LINE}px` }}>
        {Array.from({ length: sight.count }, (_, i) => {
          const from = (sight.first + i) * IN_A_LINE;
          return <Line key={from} {...props} first={first + from} count={Math.min(IN_A_LINE, count - from)} />;
        })}
      </div>
    </div>
  );
}

function Line({ axis, first, count, sliceAt, scale, selected, onSelect }: SliceChooserProps) {
  const name = useId();
  const slices = useMemo(() => Array.from({ length: count }, (_, i) => sliceAt(first + i)), [first, count, sliceAt]);
  return (
    <div class="slices__line">
      <ThumbnailSheet thumbnails={slices} scale={scale} />
      {slices.map(({ index, data, involved }) => (
        <label key={index} class={involved ? 'slices__item slices__item--involved' : 'slices__item'}>
          <input
            class="covering"
            type="radio"
            name={name}
            aria-label={`${axis}=${index}`}
            checked={index === selected}
            onChange={() => onSelect(index)}
          />
          <span class="thumbnail" style={{ height: `${thumbnailHeight(data)}px` }} />
          <span class="slices__number caption" aria-hidden="true">
            {index}
          </span>
        </label>
      ))}
    </div>
  );
}

/** Extra lines beyond both edges, so that scrolling shows no gap. */
const AROUND = 2;

/** The visible lines of `lines`, each `height` px high, in a box `room` px high that is scrolled to `top`. `first`: from 0. */
export function visibleLines(lines: number, height: number, top: number, room: number) {
  const first = Math.max(0, Math.min(lines - 1, Math.floor(top / height)) - AROUND);
  const end = Math.min(lines, Math.ceil((top + room) / height) + AROUND);
  return { first, count: Math.max(0, end - first) };
}
