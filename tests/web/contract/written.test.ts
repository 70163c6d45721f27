import { expect, test } from 'vitest';
import { writtenNumber } from '../../../web/src/worker/questions/checks';

test.each([
  ['23', 23, 0.5],
  ['2.50', 2.5, 0.005],
  ['−1.5', -1.5, 0.05],
  ['-1.5', -1.5, 0.05],
  ['+.25', 0.25, 0.005],
  ['7.7e1', 77, 0.5],
  ['8e1', 80, 5],
  ['1.0E-3', 0.001, 0.000_05],
  ['  4. ', 4, 0.5],
  ['-0', -0, 0.5],
])('%s is rounded to its last digit', (text, value, precision) => {
  expect(writtenNumber(text)).toEqual({ value, precision });
});

test.each(['', '-', '.', '1 2', '1,5', 'NaN', 'Infinity', '0x10', '1e999', '--1', '1e', '1/3', '٣'])(
  '"%s" is not a number',
  (text) => expect(writtenNumber(text)).toBeNull(),
);
