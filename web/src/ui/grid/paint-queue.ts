/**
 * Pixels of large maps are written a few rows at a time: three maps of a megapixel in one task would hold the page up
 * for longer than a frame. A newer job for the same owner replaces the older one.
 */

/** Does a part of the work, a millisecond or so; true when nothing is left. */
export type PaintJob = () => boolean;

const jobs = new Map<object, PaintJob>();
let scheduled = false;

/** A task ends after this many milliseconds, so that input is answered within a frame. */
const BUDGET = 8;

export function paintLater(owner: object, job: PaintJob): void {
  jobs.set(owner, job);
  if (scheduled) return;
  scheduled = true;
  // A frame first, so that jobs do not start before the page's own update is on the screen.
  requestAnimationFrame(() => setTimeout(runSome));
}

/**
 * Cells that are painted in one frame, all maps together, before it is shown: numbers beside colours of the problem before
 * would be wrong. Four maps of 512 x 512.
 */
const AT_ONCE = 1 << 20;

let cellsInFrame = 0;

/** Paints a map of so many cells at once, so that it is in the frame that is being made; beyond AT_ONCE behind it. */
export function paintMap(owner: object, cells: number, job: PaintJob): void {
  forgetPaint(owner);
  if (cellsInFrame === 0) {
    requestAnimationFrame(() => {
      cellsInFrame = 0;
    });
  }
  cellsInFrame += cells;
  if (cellsInFrame > AT_ONCE) {
    paintLater(owner, job);
    return;
  }
  while (!job()) {
    // A part at a time.
  }
}

export function forgetPaint(owner: object): void {
  jobs.delete(owner);
}

function runSome(): void {
  const start = performance.now();
  for (const [owner, job] of jobs) {
    let done = false;
    while (!done && performance.now() - start < BUDGET) done = job();
    if (!done) break;
    if (jobs.get(owner) === job) jobs.delete(owner);
  }
  scheduled = jobs.size > 0;
  if (scheduled) setTimeout(runSome);
}
