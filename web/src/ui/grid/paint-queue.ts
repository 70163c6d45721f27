/**
 * Pixels of large maps are written one map per task: three maps of a megapixel in one task would hold the page up for
 * longer than a frame. A newer job for the same owner replaces the older one.
 */

type Job = () => void;

const jobs = new Map<object, Job>();
let scheduled = false;

/** Small jobs share a task up to this many milliseconds. */
const BUDGET = 8;

export function paintLater(owner: object, job: Job): void {
  jobs.set(owner, job);
  schedule();
}

export function forgetPaint(owner: object): void {
  jobs.delete(owner);
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  // A frame first, so that jobs do not start before the page's own update is on the screen.
  requestAnimationFrame(() => setTimeout(runSome));
}

function runSome(): void {
  scheduled = false;
  const start = performance.now();
  for (const [owner, job] of jobs) {
    jobs.delete(owner);
    job();
    if (performance.now() - start > BUDGET) break;
  }
  if (jobs.size > 0) {
    scheduled = true;
    setTimeout(runSome);
  }
}
