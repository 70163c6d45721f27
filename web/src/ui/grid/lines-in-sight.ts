/** A stretch of lines, the first one counted from 0. */
export interface Stretch {
  readonly first: number;
  readonly count: number;
}

/** Lines beyond either edge, so that a step further shows no gap before it is drawn. */
const AROUND = 2;

/** Which of `lines`, each `height` pixels high, are in sight in a box that is `room` pixels high and scrolled to `top`. */
export function linesInSight(lines: number, height: number, top: number, room: number): Stretch {
  const first = Math.max(0, Math.min(lines - 1, Math.floor(top / height)) - AROUND);
  const end = Math.min(lines, Math.ceil((top + room) / height) + AROUND);
  return { first, count: Math.max(0, end - first) };
}
