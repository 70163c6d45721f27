import { useEffect, useRef, useState } from 'preact/hooks';

/** Steps per second. */
const SPEEDS: readonly number[] = [0.5, 1, 2, 4, 8, 16, 64, 256];
const FIRST_SPEED = 2;
/** Maximum frames per second; at higher speeds each frame advances several steps. */
const MOST_PICTURES = 30;

export interface Playback {
  readonly playing: boolean;
  /** Steps per second. */
  readonly speed: number;
  readonly toggle: () => void;
  readonly stop: () => void;
  readonly faster: () => void;
  readonly slower: () => void;
}

/** Advances `value` to `total`; from `total` it restarts at 0. */
export function usePlayback(
  value: number,
  total: number,
  onChange: (value: number) => void,
  speeds: readonly number[] = SPEEDS,
): Playback {
  const [playing, setPlaying] = useState(false);
  const [index, setIndex] = useState(FIRST_SPEED);
  const speed = speeds[index] ?? 1;
  const now = useRef({ value, total, onChange });
  now.current = { value, total, onChange };

  useEffect(() => {
    if (!playing) return;
    const pictures = Math.min(speed, MOST_PICTURES);
    const advance = Math.max(1, Math.round(speed / pictures));
    const timer = setInterval(() => {
      const { value: from, total: end, onChange: change } = now.current;
      const to = Math.min(end, from + advance);
      if (to !== from) change(to);
      if (to === end) setPlaying(false);
    }, 1000 / pictures);
    return () => clearInterval(timer);
  }, [playing, speed]);

  return {
    playing,
    speed,
    toggle() {
      if (!playing && value >= total) onChange(0);
      setPlaying(!playing);
    },
    stop: () => setPlaying(false),
    faster: () => setIndex(Math.min(speeds.length - 1, index + 1)),
    slower: () => setIndex(Math.max(0, index - 1)),
  };
}
