/** A range of lines; `first` is 0-based. */
export interface LineRange {
  readonly first: number;
  readonly count: number;
}

/** Extra lines beyond both edges, so that scrolling shows no gap. */
const AROUND = 2;

/** The visible lines of `lines`, each `height` px high, in a box that is `room` px high and scrolled to `top`. */
export function visibleLines(lines: number, height: number, top: number, room: number): LineRange {
  const first = Math.max(0, Math.min(lines - 1, Math.floor(top / height)) - AROUND);
  const end = Math.min(lines, Math.ceil((top + room) / height) + AROUND);
  return { first, count: Math.max(0, end - first) };
}
