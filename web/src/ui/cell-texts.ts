import { formatDigits, MINUS } from './numbers';

/** The values of a grid as text: as many digits as fit its cells, the same number for all. */

/** Least cell size with text, in CSS pixels. */
export const MIN_TEXT_CELL = 24;

export interface CellTexts {
  /** One for each value; empty where `values` has null, and all empty if they do not fit. */
  readonly texts: readonly string[];
  /** Font size in CSS pixels. */
  readonly font: number;
}

/** Widths in em of DejaVu Sans and Verdana, the widest common system fonts. */
const WIDTHS: Readonly<Record<string, number>> = {
  [MINUS]: 0.84,
  '.': 0.37,
  M: 0.87,
  N: 0.75,
  '≈': 0.84,
  '∞': 1,
};
const WIDTH = 0.64;

/** The border of a cell, and a pixel on both sides of the text. */
const AROUND = 3;

/** Text of small cells has at least this font size, where its width allows it. */
const SMALL = 12;

/** Largest preferred width of text, as a share of the cell size. */
const MAX_WIDTH_SHARE = 0.82;

/**
 * Number of digits, and the smallest font tried with it: fewer digits come before a smaller font. `aligned`: no number has
 * more decimals than the largest one needs.
 */
const ATTEMPTS = [
  { digits: 3, least: 10, aligned: false },
  { digits: 2, least: 9, aligned: false },
  { digits: 2, least: 8.4, aligned: true },
  { digits: 1, least: 9, aligned: false },
  { digits: 1, least: 7.5, aligned: false },
] as const;

/** Smaller numbers are written with an exponent. */
const TINY = 0.005;
/** A nonzero number that is too small for the available digits. */
const ABOUT_ZERO = '≈0';

const widthOf = (text: string): number => [...text].reduce((sum, sign) => sum + (WIDTHS[sign] ?? WIDTH), 0);

/** The texts of cells with a size of `size` CSS pixels. */
export function fitCellTexts(values: readonly (number | null)[], size: number): CellTexts {
  const room = size - AROUND;
  const most = Math.max(SMALL, Math.min(22, size * 0.38));
  const largest = values.reduce<number>((max, value) => Math.max(max, Math.abs(value || 0)), 0);
  for (const { digits, least, aligned } of ATTEMPTS) {
    const fits = (text: string) => widthOf(text) * least <= room;
    const decimals = Math.max(0, Math.min(20, digits - 1 - Math.floor(Math.log10(largest))));
    const textOf = (value: number): string => {
      const text = formatDigits(value, digits, fits);
      if (value === 0 || largest < TINY) return text;
      if (Math.abs(value) < TINY && !fits(text)) return ABOUT_ZERO;
      if (!aligned || text.replace(MINUS, '').length <= decimals + 2) return text;
      const short = Math.abs(value).toFixed(decimals);
      return Number(short) === 0 ? ABOUT_ZERO : (value < 0 ? MINUS : '') + short;
    };
    const texts = values.map((value) => (value === null ? '' : textOf(value)));
    if (!texts.every(fits)) continue;
    const widest = texts.reduce((wide, text) => Math.max(wide, widthOf(text)), 0.01);
    const font = Math.min(most, room / widest, Math.max(least, (MAX_WIDTH_SHARE * size) / widest));
    // Fonts of 10 px or more: a whole size, for sharp edges.
    return { texts, font: font < 10 ? font : Math.floor(font) };
  }
  return { texts: values.map(() => ''), font: most };
}
