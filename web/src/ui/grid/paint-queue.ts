/**
 * Paints large maps a few rows at a time: three maps of a megapixel in one task would block the page for longer than a
 * frame. A new job of the same owner replaces the old one.
 */

/** Does about 1 ms of the work; true when done. */
export type PaintJob = () => boolean;

const jobs = new Map<object, PaintJob>();
let scheduled = false;

/** Maximum duration of a task in ms, so that input is handled within a frame. */
const BUDGET = 8;

export function paintLater(owner: object, job: PaintJob): void {
  jobs.set(owner, job);
  if (scheduled) return;
  scheduled = true;
  // After the next frame, so that jobs do not delay the page's own update.
  requestAnimationFrame(() => setTimeout(runSome));
}

/**
 * Maximum number of cells painted synchronously in one frame, over all maps, so that new numbers are not shown beside old
 * colors. Four maps of 512 x 512.
 */
const AT_ONCE = 1 << 20;

let cellsInFrame = 0;

/** Paints a map in the current frame; beyond AT_ONCE cells, later. */
export function paintMap(owner: object, cells: number, job: PaintJob): void {
  cancelPaint(owner);
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
    // job() paints a part at a time.
  }
}

export function cancelPaint(owner: object): void {
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
