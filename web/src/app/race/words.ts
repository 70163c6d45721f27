import type { Pass } from '../../protocol/problem';
import type { RaceEntry, RaceResult } from '../../protocol/race';
import { formatBytes } from '../../ui/quantities';
import { gigaflops, type Summary, summaryOf } from './statistics';

export const PASS_NAMES: Readonly<Record<Pass, string>> = {
  forward: 'y (forward)',
  backward_data: 'dx (gradient of x)',
  backward_weights: 'dw (gradient of w)',
  backward_bias: 'db (gradient of b)',
};

const three = (value: number): string => String(Number(value.toPrecision(3)));

/** A time of any size: 12.3 ms, 4.5 µs. */
export function timeText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${three(milliseconds / 1000)} s`;
  return milliseconds >= 1 ? `${three(milliseconds)} ms` : `${three(milliseconds * 1000)} µs`;
}

export const speedText = (speed: number): string => three(speed);

export const shareText = (share: number): string =>
  `${share < 0.095 ? (100 * share).toFixed(1) : Math.round(100 * share)} %`;

/** Half of the spread, of the median. */
export const spreadText = ({ median, low, high }: Summary): string => {
  const spread = (100 * (high - low)) / 2 / median;
  return `± ${spread < 9.5 ? spread.toFixed(1) : Math.round(spread)} %`;
};

export const memoryText = ({ scratch_bytes }: RaceEntry): string =>
  scratch_bytes === 0 ? 'none' : formatBytes(scratch_bytes);

/** GFLOP/s of an entry's median and of its spread. */
export function speedsOf({ flops }: RaceResult, { samples }: RaceEntry) {
  const time = summaryOf(samples);
  return (
    time && {
      time,
      low: gigaflops(flops, time.high),
      middle: gigaflops(flops, time.median),
      high: gigaflops(flops, time.low),
    }
  );
}

/** "1 x 28 x 28 x 128 under 3 x 3, 128 filters" */
export function sizesText({ desc: d }: RaceResult): string {
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
