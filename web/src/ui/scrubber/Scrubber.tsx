import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../controls/Button';
import { registerPlayer } from './players';
import { usePlayback } from './use-playback';
import './scrubber.css';

interface ScrubberProps {
  readonly label: string;
  /** Steps done: 0 .. total. */
  readonly value: number;
  readonly total: number;
  /** Number of steps for Shift and an arrow key. */
  readonly row: number;
  /** Describes the current frame. */
  readonly sentence: string;
  readonly onChange: (value: number) => void;
  /** The selectable steps per second. */
  readonly speeds?: readonly number[];
}

const PLAY = 'M6 4.5v11l9-5.5z';
const PAUSE = 'M6 5h3v10H6zM11.5 5h3v10h-3z';
const BACK = 'M13.5 5v10l-7-5zM5 5h1.6v10H5z';
const FORWARD = 'M6.5 5v10l7-5zM13.4 5H15v10h-1.6z';

/** A slider for a process of many steps, with play, single steps and speed. No animation between steps. */
export function Scrubber({ label, value, total, row, sentence, onChange, speeds }: ScrubberProps) {
  const text = useId();
  const playback = usePlayback(value, total, onChange, speeds);
  const go = (to: number) => {
    playback.stop();
    const inside = Math.max(0, Math.min(total, to));
    if (inside !== value) onChange(inside);
  };
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (element.current) registerPlayer(element.current, { value, total, speed: playback.speed, sentence, go });
  });
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => go(value - 1),
    ArrowRight: () => go(value + 1),
    'Shift+ArrowLeft': () => go(value - row),
    'Shift+ArrowRight': () => go(value + row),
    Home: () => go(0),
    End: () => go(total),
    ' ': playback.toggle,
    '[': playback.slower,
    ']': playback.faster,
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced as a form
    <div
      ref={element}
      class="scrubber"
      role="group"
      aria-label={label}
      onKeyDown={(event) => {
        // Space on a button clicks that button.
        if (event.key === ' ' && event.target instanceof HTMLButtonElement) return;
        const act = keys[event.shiftKey ? `Shift+${event.key}` : event.key];
        if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        act();
      }}
    >
      <div class="scrubber__bar">
        <Button kind="icon" label="One step back" shortcut="ArrowLeft" onClick={() => go(value - 1)}>
          <Glyph path={BACK} />
        </Button>
        <Button kind="icon" label={playback.playing ? 'Pause' : 'Play'} shortcut="Space" onClick={playback.toggle}>
          <Glyph path={playback.playing ? PAUSE : PLAY} />
        </Button>
        <Button kind="icon" label="One step forward" shortcut="ArrowRight" onClick={() => go(value + 1)}>
          <Glyph path={FORWARD} />
        </Button>
        <input
          type="range"
          class="scrubber__slider"
          aria-label={label}
          aria-describedby={text}
          aria-valuetext={`${value} of ${total}`}
          min={0}
          max={total}
          value={value}
          onInput={(event) => go(event.currentTarget.valueAsNumber)}
        />
        <output class="scrubber__count">
          {value} / {total}
        </output>
        <div class="scrubber__speed">
          <Button kind="icon" label="Slower" shortcut="[" onClick={playback.slower}>
            −
          </Button>
          <span>{playback.speed} / s</span>
          <Button kind="icon" label="Faster" shortcut="]" onClick={playback.faster}>
            +
          </Button>
        </div>
      </div>
      <p class="scrubber__sentence" id={text} aria-live={playback.playing ? 'off' : 'polite'}>
        {sentence}
      </p>
    </div>
  );
}

function Glyph({ path }: { readonly path: string }) {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" fill="currentColor" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
