import { type Work, workOf } from '../../protocol/shapes';
import type { ShownResult } from '../../state/store-types';
import { formatBytes, formatCount } from '../../ui/quantities';

/** Multiply-adds. Fewer take less than the resolution of the clock. */
const MIN_MEASURABLE = 1e6;

/** Multiply-adds per second, measured on the shown problem; null if that is too small to measure. */
export function speedOf(shown: ShownResult | null): number | null {
  if (!shown) return null;
  const { multiply_adds } = workOf(shown.problem.desc);
  const times = Object.values(shown.result.runs).map(({ milliseconds }) => milliseconds);
  const seconds = times.reduce((sum, each) => sum + each, 0) / 1000;
  return multiply_adds >= MIN_MEASURABLE && seconds > 0 ? multiply_adds / seconds : null;
}

/** "12,080 million multiply-adds and 310 MiB, about 4 seconds on this machine" */
export function costWords({ multiply_adds, bytes }: Work, speed: number | null): string {
  const millions = Math.max(1, Math.round(multiply_adds / 1e6));
  const needs = `${formatCount(millions)} million multiply-adds and ${formatBytes(bytes)}`;
  if (speed === null) return `${needs}, time unknown`;
  return `${needs}, about ${timeText(multiply_adds / speed)} on this machine`;
}

function timeText(seconds: number): string {
  if (seconds < 1.5) return 'a second';
  if (seconds < 90) return `${Math.round(seconds)} seconds`;
  return `${formatCount(Math.round(seconds / 60))} minutes`;
}
