import { describe, expect, it } from 'vitest';
import {
  type ColorScale,
  DARK_INK,
  lutIndex,
  lutOf,
  type Ramp,
  scaleEnd,
  type Theme,
  type Transfer,
} from '../../../web/src/ui/color-scale';

const THEMES: readonly Theme[] = ['light', 'dark'];
const scale = (maxAbs: number, ramp: Ramp = 'signed', transfer: Transfer = 'linear'): ColorScale => ({
  maxAbs,
  ramp,
  transfer,
});

function luminance(css: string): number {
  const [r = 0, g = 0, b = 0] = (css.match(/\d+/g) ?? []).map((part) => {
    const c = Number(part) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

describe('the signed scale', () => {
  it.each(['linear', 'root'] as const)('is symmetric about zero (%s)', (transfer) => {
    const s = scale(7, 'signed', transfer);
    const zero = lutIndex(0, s);
    for (const value of [0.001, 0.5, 3, 6.9, 7]) {
      expect(lutIndex(value, s) - zero).toBe(zero - lutIndex(-value, s));
    }
  });

  it('gives nonzero values a color different from zero, however small', () => {
    const s = scale(1e6);
    expect(lutIndex(1e-6, s)).not.toBe(lutIndex(0, s));
    expect(lutIndex(-1e-6, s)).not.toBe(lutIndex(0, s));
  });

  it('clamps values beyond the scale, and accepts a tensor of zeros', () => {
    expect(lutIndex(9, scale(7))).toBe(lutIndex(7, scale(7)));
    expect(lutIndex(0, scale(0))).toBe(lutIndex(0, scale(7)));
  });

  it.each(THEMES)('uses one text color on all values of the %s theme', (theme) => {
    const { ink } = lutOf(theme, 'signed');
    const inks = Array.from({ length: 201 }, (_, i) => ink[lutIndex((i - 100) / 100, scale(1))]);
    expect(new Set(inks).size).toBe(1);
  });

  it('gives NaN its own color', () => {
    const s = scale(7);
    const others = [-7, -1, 0, 1, 7].map((value) => lutIndex(value, s));
    expect(others).not.toContain(lutIndex(Number.NaN, s));
    expect(lutOf('light', 'signed').css[lutIndex(Number.NaN, s)]).toBeDefined();
  });

  it('enlarges small values with the root', () => {
    const zero = lutIndex(0, scale(1));
    expect(lutIndex(0.01, scale(1, 'signed', 'root')) - zero).toBeGreaterThan(4 * (lutIndex(0.01, scale(1)) - zero));
  });
});

it.each(THEMES)('text has a contrast of 4.5 : 1 on every color of the %s theme', (theme) => {
  for (const ramp of ['signed', 'map', 'gray'] as const) {
    const lut = lutOf(theme, ramp);
    lut.css.forEach((color, i) => {
      const [a, b] = [luminance(color), lut.ink[i] === DARK_INK ? 0 : 1];
      expect((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), `${ramp} ${i}`).toBeGreaterThanOrEqual(4.5);
    });
  }
});

it('has a monotonic lightness on each side', () => {
  for (const theme of THEMES) {
    const towards = theme === 'light' ? -1 : 1;
    for (const ramp of ['signed', 'map'] as const) {
      const { css } = lutOf(theme, ramp);
      for (const side of [css.slice(129, 256), css.slice(1, 128).reverse()].map((colors) => colors.map(luminance))) {
        for (let i = 1; i < side.length; i += 1) {
          expect(towards * ((side[i] ?? 0) - (side[i - 1] ?? 0)), `${theme} ${i}`).toBeGreaterThanOrEqual(-0.002);
        }
      }
    }
  }
});

/** CIE L*, from the definition of 1976: what is left of a color in gray. */
function lightness(css: string): number {
  const y = luminance(css);
  return y > (6 / 29) ** 3 ? 116 * y ** (1 / 3) - 16 : (y * 29 ** 3) / 27;
}

describe.each(THEMES)('a map of the %s theme, in gray', (theme) => {
  const { css } = lutOf(theme, 'map');
  const at = (value: number) => lightness(css[lutIndex(value, scale(1))] ?? '');

  it.each([1, 0.75, 0.5])('has %f of the largest value in another lightness than its negative', (value) => {
    expect(at(-value) - at(value)).toBeGreaterThan(20 * value);
  });

  it('is not muddy: negative values end light, and positive ones far from zero', () => {
    expect(at(-1)).toBeGreaterThan(72);
    expect(Math.abs(at(1) - at(0))).toBeGreaterThan(40);
  });
});

it('ends at the largest absolute value; a constant tensor gets half of the ramp', () => {
  expect(scaleEnd({ min: -3, max: 2, max_abs: 3 })).toBe(3);
  expect(scaleEnd({ min: 1, max: 1, max_abs: 1 })).toBe(2);
  expect(scaleEnd({ min: 0, max: 0, max_abs: 0 })).toBe(0);
  expect(scaleEnd(undefined)).toBe(0);
});
