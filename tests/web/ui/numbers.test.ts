import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellFormat, formatCell, formatExact, parseNumber } from '../../../web/src/ui/numbers';

const THREE = { digits: 3, chars: 6 };
const TWO = { digits: 2, chars: 4 };

describe('a figure in a cell', () => {
  it('shows integers bare and other numbers to three significant digits', () => {
    expect(formatCell(2387, THREE)).toBe('2387');
    expect(formatCell(1 / 3, THREE)).toBe('0.333');
    expect(formatCell(0.25, THREE)).toBe('0.25');
    expect(formatCell(-12.345, THREE)).toBe('\u221212.3');
  });

  it('keeps the digits before the point while they fit', () => {
    expect(formatCell(385.77, TWO)).toBe('386');
    expect(formatCell(1282.5, TWO)).toBe('1283');
    expect(formatCell(12825, TWO)).toBe('13k');
    expect(formatCell(-1282, TWO)).toBe('\u22121k');
  });

  it('never writes a minus before zero', () => {
    expect(formatCell(-0, THREE)).toBe('0');
    expect(formatExact(-0)).toBe('0');
  });

  it('writes very large and very small numbers with a letter or an exponent', () => {
    expect(formatCell(2_400_000, THREE)).toBe('2.4M');
    expect(formatCell(0.00042, THREE)).toBe('4.2e\u22124');
    expect(formatCell(3e12, THREE)).toBe('3e12');
    expect(formatCell(Number.NaN, THREE)).toBe('NaN');
    expect(formatCell(Number.NEGATIVE_INFINITY, THREE)).toBe('\u2212\u221e');
  });

  it('fits the cell for every float32 that is not astronomically small or large', () => {
    const value = fc.float({ noNaN: true, noDefaultInfinity: true }).filter((v) => v === 0 || Math.abs(v) > 1e-9);
    fc.assert(
      fc.property(
        value.filter((v) => Math.abs(v) < 1e9),
        (v) => formatCell(v, { digits: 3, chars: 5 }).length <= 5,
      ),
    );
  });
});

it('has figures from 24 pixels on, with three digits from 34', () => {
  expect(cellFormat(23.9)).toBeNull();
  expect(cellFormat(24)?.digits).toBe(2);
  expect(cellFormat(34)?.digits).toBe(3);
});

describe('an exact number', () => {
  it('reads back as the same float32', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const read = parseNumber(formatExact(value));
        return read !== null && Math.fround(read) === (value === 0 ? 0 : value);
      }),
    );
  });

  it('is as short as it can be', () => {
    expect(formatExact(Math.fround(0.1))).toBe('0.1');
    expect(formatExact(Math.fround(385.77002))).toBe('385.77002');
  });
});

describe('what a person types', () => {
  it.each([
    ['3', 3],
    [' -3.5 ', -3.5],
    ['\u22123,5', -3.5],
    ['.5', 0.5],
    ['1e-3', 0.001],
  ])('%s is a number', (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });

  it.each(['', '-', '1e', 'seven', '0x10', '1 2', 'Infinity', '1e999'])('%j is none yet', (text) => {
    expect(parseNumber(text)).toBeNull();
  });
});
