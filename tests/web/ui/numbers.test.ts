import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fitCellTexts,
  formatCell,
  formatExact,
  MIN_TEXT_CELL,
  parseNumber,
  refusal,
} from '../../../web/src/ui/numbers';

const THREE = { digits: 3, chars: 6 };
const TWO = { digits: 2, chars: 4 };

describe('formatCell', () => {
  it('writes integers without decimals and other numbers with three significant digits', () => {
    expect(formatCell(2387, THREE)).toBe('2387');
    expect(formatCell(1 / 3, THREE)).toBe('0.333');
    expect(formatCell(0.25, THREE)).toBe('0.25');
    expect(formatCell(-12.345, THREE)).toBe('\u221212.3');
  });

  it('keeps all digits before the point if they fit', () => {
    expect(formatCell(385.77, TWO)).toBe('386');
    expect(formatCell(1282.5, TWO)).toBe('1283');
    expect(formatCell(12825, TWO)).toBe('13k');
    expect(formatCell(-1282, TWO)).toBe('\u22121k');
  });

  it('writes zero without a minus', () => {
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

  it('fits the cell for every float32 of moderate magnitude', () => {
    const value = fc.float({ noNaN: true, noDefaultInfinity: true }).filter((v) => v === 0 || Math.abs(v) > 1e-9);
    fc.assert(
      fc.property(
        value.filter((v) => Math.abs(v) < 1e9),
        (v) => formatCell(v, { digits: 3, chars: 5 }).length <= 5,
      ),
    );
  });
});

describe('fitCellTexts', () => {
  // Advance widths of DejaVu Sans in em, the widest font that was tested.
  const EM: Readonly<Record<string, number>> = {
    '.': 0.318,
    '\u2212': 0.838,
    e: 0.615,
    k: 0.579,
    M: 0.863,
    '\u2248': 0.838,
  };
  const wide = (text: string) => [...text].reduce((sum, sign) => sum + (EM[sign] ?? 0.636), 0);

  it('uses the same number of digits with and without a sign', () => {
    expect(fitCellTexts([-1 / 9, 1 / 9, 0.5], 48).texts).toEqual(['\u22120.111', '0.111', '0.5']);
    // All are shortened if three digits with a sign do not fit.
    expect(fitCellTexts([-1 / 9, 1 / 9, 0.5], 40).texts).toEqual(['\u22120.11', '0.11', '0.5']);
    expect(fitCellTexts([1 / 9, 0.5], 36).texts).toEqual(['0.111', '0.5']);
  });

  it('keeps only trailing zeros that are rounded digits', () => {
    expect(fitCellTexts([0.1101, Math.fround(0.11), 0.25], 44).texts).toEqual(['0.110', '0.11', '0.25']);
  });

  it('writes ≈0 for a number too small for its cell, unless all are as small', () => {
    expect(fitCellTexts([-0.0004, 0.5], 30).texts).toEqual(['\u22480', '0.5']);
    expect(fitCellTexts([-0.0004, 0.5], 44).texts).toEqual(['\u22124e\u22124', '0.5']);
    expect(fitCellTexts([-0.0004, 0.0002], 24).texts).toEqual(['', '']);
  });

  it('limits decimals to those of the largest value if that makes room for a digit', () => {
    const values = [-0.632, -0.0541, 0.0614, -0.00604];
    expect(fitCellTexts(values, 40).texts).toEqual(['\u22120.63', '\u22120.05', '0.06', '\u22120.01']);
  });

  it('leaves all cells empty if one text does not fit', () => {
    expect(fitCellTexts([-3.25e12, 1, null], MIN_TEXT_CELL).texts).toEqual(['', '', '']);
    expect(fitCellTexts([-125, 1, null], MIN_TEXT_CELL).texts).toEqual(['', '', '']);
    expect(fitCellTexts([-12, 1, null], 27).texts).toEqual(['\u221212', '1', '']);
  });

  it('keeps text of at least 11 px a pixel away from the lines between cells', () => {
    fc.assert(
      fc.property(
        fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 9 }),
        fc.integer({ min: 16, max: 72 }),
        (values, size) => {
          const { texts, font } = fitCellTexts(values, size);
          return (
            texts.every((text) => wide(text) * font <= size - 3) &&
            (texts.every((text) => text === '') || (font >= 11 && Number.isInteger(font)))
          );
        },
      ),
    );
  });
});

describe('formatExact', () => {
  it('reads back as the same float32', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const read = parseNumber(formatExact(value));
        return read !== null && Math.fround(read) === (value === 0 ? 0 : value);
      }),
    );
  });

  it('is the shortest such decimal', () => {
    expect(formatExact(Math.fround(0.1))).toBe('0.1');
    expect(formatExact(Math.fround(385.77002))).toBe('385.77002');
  });
});

describe('parseNumber', () => {
  it.each([
    ['3', 3],
    [' -3.5 ', -3.5],
    ['\u22123,5', -3.5],
    ['.5', 0.5],
    ['0,5', 0.5],
    ['0,125', 0.125],
    ['1,5', 1.5],
    ['12,3456', 12.3456],
    ['1e-3', 0.001],
  ])('reads %s as a number', (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });

  it.each(['1,000', '-12,345', '\u22121,000', '1,000,000', '1,000.5', ' 250,000 '])(
    'rejects %j, in which the comma is ambiguous',
    (text) => {
      expect(parseNumber(text)).toBeNull();
      expect(refusal(text)).toBe(
        `“${text.trim().replace('\u2212', '-')}” is ambiguous. Use a point before decimals and no thousands separators.`,
      );
    },
  );

  it.each(['', '-', '1e', 'seven', '0x10', '1 2', 'Infinity', '1e999'])('rejects %j', (text) => {
    expect(parseNumber(text)).toBeNull();
  });
});
