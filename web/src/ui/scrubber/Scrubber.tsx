import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../controls/Button';
import { playing } from './playing';
import './scrubber.css';

interface ScrubberProps extends Pick<Player, 'total' | 'sentence'> {
  readonly label: string;
  /** Steps done: 0 .. total. */
  readonly value: number;
  /** Number of steps for Shift and an arrow key. */
  readonly row: number;
  /** Drawn in place of the sentence; not announced, because it changes with the pointer. */
  readonly note?: string | undefined;
  readonly onChange: (value: number) => void;
  /** The selectable speeds: strides per second. */
  readonly speeds?: readonly number[];
  /** Number of steps that playing does at once: 1, or a row. */
  readonly stride?: number;
}

const PLAY = 'M6 4.5v11l9-5.5z';
const PAUSE = 'M6 5h3v10H6zM11.5 5h3v10h-3z';
const BACK = 'M13.5 5v10l-7-5zM5 5h1.6v10H5z';
const FORWARD = 'M6.5 5v10l7-5zM13.4 5H15v10h-1.6z';

/** A slider for a process of many steps, with play, single steps and speed. No animation between steps. */
export function Scrubber(props: ScrubberProps) {
  const { label, value, total, row, sentence, note, stride = 1, onChange } = props;
  const text = useId();
  const playback = usePlayback(props);
  const go = (to: number) => {
    playback.stop();
    const inside = Math.max(0, Math.min(total, to));
    if (inside !== value) onChange(inside);
  };
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const speed = playback.speed * stride;
    if (element.current) players.set(element.current, { value, total, speed, sentence, go });
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
    BracketLeft: playback.slower,
    BracketRight: playback.faster,
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced as a form
    <div
      ref={element}
      class="scrubber grid"
      role="group"
      aria-label={label}
      onKeyDown={(event) => {
        // Space on a button clicks that button.
        if (event.key === ' ' && event.target instanceof HTMLButtonElement) return;
        // Brackets are letters on some layouts that are not Latin.
        const key = event.key > '\u024f' ? event.code : event.key;
        const act = keys[event.shiftKey ? `Shift+${key}` : key];
        if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        act();
      }}
    >
      <div class="scrubber__bar row wrap tight">
        <Button kind="icon" label="One step back" shortcut="ArrowLeft" onClick={() => go(value - 1)}>
          <Glyph path={BACK} />
        </Button>
        <Button kind="icon" label={playing.value ? 'Pause' : 'Play'} shortcut="Space" onClick={playback.toggle}>
          <Glyph path={playing.value ? PAUSE : PLAY} />
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
        <output class="scrubber__count" style={{ minWidth: `${2 * String(total).length + 2}ch` }}>
          {value} / {total}
        </output>
        <div class="scrubber__speed row tight note">
          <Button kind="icon" label="Slower" shortcut="[" onClick={playback.slower}>
            −
          </Button>
          <span>
            {playback.speed} {stride > 1 && 'rows '}/ s
          </span>
          <Button kind="icon" label="Faster" shortcut="]" onClick={playback.faster}>
            +
          </Button>
        </div>
      </div>
      <p
        class={`scrubber__sentence ${note ? 'visually-hidden' : 'small'}`}
        id={text}
        aria-live={playing.value && value > stride && value < total ? 'off' : 'polite'}
      >
        {sentence}
      </p>
      {note && (
        <p class="scrubber__sentence scrubber__note note" aria-hidden="true">
          {note}
        </p>
      )}
    </div>
  );
}

function Glyph({ path }: { path: string }) {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" fill="currentColor" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

/** Strides per second. */
const SPEEDS: readonly number[] = [0.5, 1, 2, 4, 8, 16, 64, 256];
/** At first, playing takes at most so many seconds, and is not slower than this speed. */
const WHOLE = 8;
const LEAST_SPEED = 2;
/** Maximum frames per second; at higher speeds each frame advances several strides. */
const MOST_PICTURES = 30;

/** Advances `value` to `total`; from `total` it restarts at 0. */
function usePlayback({ value, total, stride = 1, onChange, speeds = SPEEDS }: ScrubberProps) {
  const [chosen, choose] = useState<number | null>(null);
  const first = speeds.findIndex((each) => each >= LEAST_SPEED && total <= WHOLE * each * stride);
  const last = speeds.length - 1;
  const index = chosen ?? (first < 0 ? last : first);
  const speed = speeds[index] ?? 1;
  const isPlaying = playing.value === 'player';
  const now = useRef({ value, total, onChange });
  now.current = { value, total, onChange };

  // Not after painting: between the click on Pause and that, the timer would make one more step.
  useLayoutEffect(() => {
    if (!isPlaying) return;
    const pictures = Math.min(speed, MOST_PICTURES);
    const advance = stride * Math.max(1, Math.round(speed / pictures));
    const timer = setInterval(() => {
      const { value: from, total: end, onChange: change } = now.current;
      const to = Math.min(end, from + advance);
      if (to !== from) change(to);
      if (to === end) playing.value = null;
    }, 1000 / pictures);
    return () => clearInterval(timer);
  }, [isPlaying, speed, stride]);
  useLayoutEffect(() => () => stop(), []);

  return {
    speed,
    toggle() {
      if (!playing.value && value >= total) onChange(0);
      playing.value = playing.value ? null : 'player';
    },
    stop,
    faster: () => choose(Math.min(last, index + 1)),
    slower: () => choose(Math.max(0, index - 1)),
  };
}

function stop(): void {
  playing.value = null;
}

/** A player on the page, for code that exports all its frames. */
export interface Player {
  /** The chosen step, 0 .. total; the drawn frame may be behind. */
  readonly value: number;
  readonly total: number;
  /** Steps per second. */
  readonly speed: number;
  readonly sentence: string;
  /** Stops playing. */
  readonly go: (to: number) => void;
}

const players = new WeakMap<Element, Player>();

export function playerIn(root: ParentNode): Player | null {
  const element = root.querySelector('.scrubber');
  return (element && players.get(element)) ?? null;
}
