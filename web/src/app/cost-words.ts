import { type Work, workOf } from '../protocol/work';
import type { Shown } from '../state/store-types';
import { formatBytes, formatCount } from '../ui/quantities';

/** What a problem would take, for a person. */

/** Less than this is over before a clock has moved: it says nothing of the machine. */
const LEAST_TOLD = 1e6;

/** Multiply-adds a second, as the problem that is shown took them on this machine; null when that was too small to tell. */
export function speedOf(shown: Shown | null): number | null {
  if (!shown) return null;
  const { multiply_adds } = workOf(shown.problem.desc);
  const times = Object.values(shown.result.runs).map(({ milliseconds }) => milliseconds);
  const seconds = times.reduce((sum, each) => sum + each, 0) / 1000;
  return multiply_adds >= LEAST_TOLD && seconds > 0 ? multiply_adds / seconds : null;
}

/** "12,080 million multiply-adds and 310 MiB, about 4 seconds on this machine" */
export function costWords({ multiply_adds, bytes }: Work, speed: number | null): string {
  const millions = Math.max(1, Math.round(multiply_adds / 1e6));
  const wants = `${formatCount(millions)} million multiply-adds and ${formatBytes(bytes)}`;
  if (speed === null) return `${wants}; how long that is on this machine is not known yet`;
  return `${wants}, about ${timeText(multiply_adds / speed)} on this machine`;
}

function timeText(seconds: number): string {
  if (seconds < 1.5) return 'a second';
  if (seconds < 90) return `${Math.round(seconds)} seconds`;
  return `${formatCount(Math.round(seconds / 60))} minutes`;
}
