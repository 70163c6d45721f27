import { hasHiddenValues } from './numbers';

export type Theme = 'light' | 'dark';

/**
 * The colors that style sheets (--zero, --padding, ...) and canvases share; the others are in styles/tokens.css. `zero` is data:
 * the page's background. `padding` is the background of the `dot`s of padding and of the `hatch`ing of inserted zeros.
 */
export const GRID_COLORS = {
  light: { zero: '#fbfaf7', padding: '#f2efe8', dot: '#b3ac9c', hatch: '#b3ada0', 'cell-line': 'rgb(20 15 40 / 14%)' },
  dark: {
    zero: '#17161b',
    padding: '#26242d',
    dot: '#6a6674',
    hatch: '#6d6a78',
    'cell-line': 'rgb(255 255 255 / 13%)',
  },
} as const satisfies Record<Theme, Readonly<Record<string, string>>>;

/** Figures on light and on dark cells. */
export const DARK_INK = '#000000';
const LIGHT_INK = '#ffffff';

/** Distance of dots, and of hatching lines along an edge, in CSS pixels; --pitch. */
export const PITCH = 7;
/** --dot-radius */
export const DOT_RADIUS = 1.1;

/** Writes the colors as CSS variables. Call it when the theme changes. */
export function writePalette(theme: Theme, { style }: HTMLElement): void {
  for (const [name, color] of Object.entries(GRID_COLORS[theme])) style.setProperty(`--${name}`, color);
  style.setProperty('--pitch', `${PITCH}px`);
  style.setProperty('--dot-radius', `${DOT_RADIUS}px`);
}

/**
 * Maps values to colors: purple above zero, orange below. It is symmetric, so that zero has the same color in every tensor. The
 * ramp is linear in OKLab lightness, and ends where one text color is still readable on all of it; that of maps goes further.
 */
export interface ColorScale {
  /** The value at the end of the ramp; 0 for a tensor of zeros. */
  readonly maxAbs: number;
  /** 'signed' for tensors; 'amount' shows errors and counts, from paper to gray; 'gray' black to white, for photos. */
  readonly ramp: Ramp;
  /** 'root' uses more of the ramp for small values; zero and the ends do not move. */
  readonly transfer: Transfer;
}

/** The end of the scale of a tensor. A constant tensor gets half of the ramp: it has no largest value to point out. */
export const scaleEnd = (stats: Readonly<Record<'min' | 'max' | 'max_abs', number>> | undefined): number =>
  stats ? stats.max_abs * (stats.min === stats.max ? 2 : 1) : 0;

export type Ramp = 'signed' | 'amount' | 'gray';
export type Transfer = 'linear' | 'root';

interface Lut {
  /** CSS colors, and the same as 0xAABBGGRR for image data. */
  readonly css: readonly string[];
  readonly rgba: Uint32Array;
  /** Text color: black or white, with the higher contrast; the same on the whole signed ramp of a theme, not on that of maps. */
  readonly ink: readonly string[];
}

/** Steps on each side of zero. Index ZERO is reserved for an exact zero: a tiny value must look different. */
const SIDE = 127;
const GRADIENT_STOPS = 40;
const ZERO = SIDE + 1;
const NOT_A_NUMBER = 2 * ZERO;
const HIDDEN = NOT_A_NUMBER + 1;

/** Lightness, chroma and hue. */
type Oklch = readonly [l: number, c: number, h: number];
type Ends = readonly [positive: Oklch, negative: Oklch];

/** `map`: the signed ramp where no figures show the sign. Its ends differ in lightness, so that they differ without hue, too. */
export type Painted = Ramp | 'map';

export const onMap = (ramp: Ramp): Painted => (ramp === 'signed' ? 'map' : ramp);

/** Where the ramps start, and end. Errors and counts have no sign, so no hue. */
const NEUTRAL: Readonly<Record<Theme, Oklch>> = { light: [0.965, 0.012, 0], dark: [0.25, 0.02, 0] };
const ENDS: Readonly<Record<Theme, Readonly<Record<Exclude<Painted, 'gray'>, Ends>>>> = {
  light: {
    signed: [
      [0.64, 0.15, 295],
      [0.72, 0.14, 60],
    ],
    map: [
      [0.5, 0.2, 295],
      [0.8, 0.14, 65],
    ],
    amount: [
      [0.6, 0.015, 250],
      [0.6, 0.015, 250],
    ],
  },
  dark: {
    signed: [
      [0.52, 0.16, 300],
      [0.52, 0.11, 60],
    ],
    map: [
      [0.6, 0.2, 300],
      [0.82, 0.13, 70],
    ],
    amount: [
      [0.56, 0.015, 250],
      [0.56, 0.015, 250],
    ],
  },
};

export function madeOnce<V>(made: Map<string, V>, key: string, make: () => V): V {
  const value = made.get(key) ?? make();
  made.set(key, value);
  return value;
}

const luts = new Map<string, Lut>();

export const lutOf = (theme: Theme, ramp: Painted): Lut =>
  madeOnce(luts, `${theme} ${ramp}`, () => (ramp === 'gray' ? grayLut() : coloredLut(theme, ramp)));

export function lutIndex(value: number, scale: ColorScale): number {
  if (value === 0 && scale.ramp !== 'gray') return ZERO;
  if (Number.isNaN(value)) return hasHiddenValues.value ? HIDDEN : NOT_A_NUMBER;
  if (scale.maxAbs === 0) return ZERO;
  const linear = Math.max(-1, Math.min(1, value / scale.maxAbs));
  const t = scale.transfer === 'root' ? Math.sign(linear) * Math.sqrt(Math.abs(linear)) : linear;
  if (scale.ramp === 'gray') return 1 + Math.round(Math.max(0, t) * 2 * SIDE);
  return t > 0 ? ZERO + Math.max(1, Math.round(t * SIDE)) : ZERO + Math.min(-1, Math.round(t * SIDE));
}

const gradients = new Map<string, string>();

/** The ramp as a CSS gradient, from -maxAbs (signed) or 0 (gray) to maxAbs. `painted`: its colors. */
export const rampGradient = (theme: Theme, { ramp, transfer }: ColorScale, painted: Painted): string =>
  madeOnce(gradients, `${theme} ${painted} ${transfer}`, () => {
    const { css } = lutOf(theme, painted);
    const unit = { maxAbs: 1, ramp, transfer };
    const start = ramp === 'signed' ? -1 : 0;
    const stops = Array.from({ length: GRADIENT_STOPS + 1 }, (_, i) => {
      const value = start + ((1 - start) * i) / GRADIENT_STOPS;
      return css[lutIndex(value, unit)] ?? '';
    });
    return `linear-gradient(to right, ${stops.join(', ')})`;
  });

const colorsOf = (colorAt: (index: number) => Rgb) =>
  Array.from({ length: NOT_A_NUMBER + 1 }, (_, index) => colorAt(index));

function coloredLut(theme: Theme, ramp: Exclude<Painted, 'gray'>): Lut {
  const [lightness, chroma] = NEUTRAL[theme];
  const [positive, negative] = ENDS[theme][ramp];
  const colors = colorsOf((index) => {
    const t = Math.max(-1, Math.min(1, (index - ZERO) / SIDE));
    const [l, c, h] = t > 0 ? positive : negative;
    const between = (from: number, to: number) => from + (to - from) * Math.abs(t);
    return oklchToRgb([between(lightness, l), between(chroma, c), h]);
  });
  colors[ZERO] = hexToRgb(GRID_COLORS[theme].zero);
  return finish(colors);
}

function grayLut(): Lut {
  const levelAt = (index: number) => Math.round((255 * Math.max(0, Math.min(2 * SIDE, index - 1))) / (2 * SIDE));
  return finish(colorsOf((index) => [levelAt(index), levelAt(index), levelAt(index)]));
}

type Rgb = readonly [number, number, number];

function finish(colors: Rgb[]): Lut {
  colors[NOT_A_NUMBER] = [210, 40, 60];
  colors[HIDDEN] = [132, 142, 158];
  return {
    css: colors.map(([r, g, b]) => `rgb(${r} ${g} ${b})`),
    rgba: Uint32Array.from(colors, ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0),
    ink: colors.map((color) => (luminance(color) > 0.179 ? DARK_INK : LIGHT_INK)),
  };
}

/** WCAG relative luminance; at 0.179 black and white have equal contrast. */
const luminance = ([r, g, b]: Rgb) => 0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b);

function toLinear(channel: number) {
  const c = channel / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

function toByte(linear: number) {
  const c = Math.max(0, Math.min(1, linear));
  return Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055));
}

/** Björn Ottosson's OKLab, https://bottosson.github.io/posts/oklab/. */
function oklchToRgb([l, c, h]: Oklch): Rgb {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    toByte(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    toByte(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    toByte(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  ];
}

function hexToRgb(hex: string): Rgb {
  const bits = Number.parseInt(hex.slice(1), 16);
  return [(bits >> 16) & 255, (bits >> 8) & 255, bits & 255];
}
