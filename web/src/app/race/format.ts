import type { Pass } from '../../protocol/problem';
import type { RaceEntry, RaceResult, RaceTask } from '../../protocol/race';
import { costOf, type Summary, summaryOf } from './record';

export const PASS_NAMES: Readonly<Record<Pass, string>> = {
  forward: 'y (forward)',
  backward_data: 'dx (gradient of x)',
  backward_weights: 'dw (gradient of w)',
  backward_bias: 'db (gradient of b)',
};

/** 12.3 ms, 4.5 µs. */
export function timeText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${three(milliseconds / 1000)} s`;
  return milliseconds >= 1 ? `${three(milliseconds)} ms` : `${three(milliseconds * 1000)} µs`;
}

/** A duration in seconds, rounded. */
export const lengthText = (seconds: number): string =>
  seconds < 90 ? `${Math.max(5, 5 * Math.round(seconds / 5))} seconds` : `${Math.round(seconds / 60)} minutes`;

/** To three digits. */
export const three = (speed: number): string => String(Number(speed.toPrecision(3)));

/** Half the interquartile range, relative to the median. */
const spreadOf = ({ median, low, high }: Summary): number => (high - low) / 2 / median;

export const shareText = (share: number): string =>
  `${share < 0.095 ? (100 * share).toFixed(1) : Math.round(100 * share)} %`;

export const spreadText = (summary: Summary): string => `± ${shareText(spreadOf(summary))}`;

/** Billions of floating-point operations per second. */
export const gigaflops = (flops: number, milliseconds: number): number => flops / milliseconds / 1e6;

/** Whether the interquartile ranges do not overlap. */
export const isClear = (a: Summary, b: Summary): boolean => a.high < b.low || b.high < a.low;

/** A larger relative spread gets a warning. */
const MOST_SPREAD = 0.5;

/** Warning if the order of the fastest two is uncertain; else null. */
export function noiseWarning({ entries }: RaceResult): string | null {
  const [first, second] = entries
    .flatMap(({ samples }) => (samples.length > 1 ? (summaryOf(samples) ?? []) : []))
    .sort((a, b) => a.median - b.median);
  if (!first) return null;
  const spread = Math.max(spreadOf(first), second && !isClear(first, second) ? spreadOf(second) : 0);
  const again = 'Close other programs and race again.';
  if (second && !isClear(first, second)) {
    const lead = shareText(second.median / first.median - 1);
    return `The two fastest differ by ${lead}, but their times vary by ± ${shareText(spread)}. ${again}`;
  }
  return spread > MOST_SPREAD ? `The times of the fastest vary by ± ${shareText(spread)}. ${again}` : null;
}

/** Display name of an entry such as "loops:formula". */
export function nameText({ id, algorithm, build, threads }: RaceEntry): string {
  const what = id.slice(build.length + 1);
  if (build === 'loops') return LOOPS[what] ?? what;
  const on = build === 'threads' && algorithm !== '' ? ` (${threads} used)` : '';
  const name = `${what || 'the library’s choice'}, ${BUILD_NAMES[build]}${on}`;
  return what === '' && algorithm !== '' ? `${name}: ${algorithm}` : name;
}

const LOOPS: Readonly<Record<string, string>> = {
  formula: 'plain loops',
  filters_last: 'plain loops, filters innermost',
};

export const BUILD_NAMES = { simd: 'SIMD', relaxed: 'relaxed SIMD', threads: 'threads' } as const;

/** GFLOP/s at the median and the quartiles of the samples of a task. */
export function speedsOf(task: RaceTask, samples: readonly number[]) {
  const time = summaryOf(samples);
  const at = (milliseconds: number) => gigaflops(costOf(task).flops, milliseconds);
  return time && { time, low: at(time.high), middle: at(time.median), high: at(time.low) };
}

/** "28 × 28, 128 channels, 128 filters of 3 × 3" */
export function sizesText({ desc: d }: RaceTask): string {
  const more = [
    d.stride_h * d.stride_w > 1
      ? `stride ${d.stride_h === d.stride_w ? d.stride_h : `${d.stride_h}, ${d.stride_w}`}`
      : [],
    d.dilation_h * d.dilation_w > 1 ? `dilation ${d.dilation_h}` : [],
    d.groups > 1 ? `${d.groups} groups` : [],
  ].flat();
  const images = d.n === 1 ? '' : `${d.n} images of `;
  return [`${images}${d.h} × ${d.w}, ${d.c} channels`, `${d.k} filters of ${d.kh} × ${d.kw}`, ...more].join(', ');
}
