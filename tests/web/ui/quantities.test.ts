import { expect, it } from 'vitest';
import {
  formatAligned,
  formatBytes,
  formatCount,
  formatDuration,
  formatMilliseconds,
  formatRatio,
} from '../../../web/src/ui/quantities';

it('writes counts with commas, and sizes and ratios with three digits', () => {
  expect(formatCount(1_354_752)).toBe('1,354,752');
  expect([1023, 1024, 1_048_575, 1_048_576, 26_214_400].map(formatBytes)).toEqual([
    '1023 bytes',
    '1 KiB',
    '1020 KiB',
    '1 MiB',
    '25 MiB',
  ]);
  expect(formatRatio(8.9991)).toBe('9');
});

it('does not resolve times below the resolution of a browser clock', () => {
  expect([0, 0.099, 0.1, 9.94, 12.6].map(formatMilliseconds)).toEqual([
    'under 0.1 ms',
    'under 0.1 ms',
    '0.1 ms',
    '9.9 ms',
    '13 ms',
  ]);
});

it('writes measured times in the unit that needs few digits', () => {
  expect([0.0004, 0.01234, 0.99, 1, 12.34, 999, 1000, 61_234].map(formatDuration)).toEqual([
    '0.4 µs',
    '12.3 µs',
    '990 µs',
    '1 ms',
    '12.3 ms',
    '999 ms',
    '1 s',
    '61.2 s',
  ]);
});

it('keeps trailing zeros in columns of numbers', () => {
  expect([-0.5, 12.5, 3, 1e-7].map((value) => formatAligned(value, 4))).toEqual(['\u22120.5000', '12.50', '3', '10⁻⁷']);
  expect(formatAligned(Number.NEGATIVE_INFINITY, 4)).toBe('\u2212∞');
});
