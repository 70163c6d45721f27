/** Hills under a low sun: soft gradients in the sky, long edges on the ridges, texture on the meadow. */

const ZENITH: Rgb = [0.16, 0.3, 0.58];
const HORIZON: Rgb = [0.98, 0.76, 0.52];
const SUN: Rgb = [1, 0.95, 0.78];
const CLOUD: Rgb = [1, 1, 1];
const SUN_AT = { u: 0.68, v: 0.34, radius: 0.075 };

type Ridge = Readonly<Record<'height' | 'swing' | 'waves' | 'shift', number>> & { readonly color: Rgb };

const RIDGES: readonly Ridge[] = [
  { height: 0.52, swing: 0.06, waves: 7, shift: 0.4, color: [0.5, 0.5, 0.66] },
  { height: 0.6, swing: 0.05, waves: 5, shift: 2.1, color: [0.32, 0.42, 0.5] },
  { height: 0.7, swing: 0.06, waves: 3.4, shift: 4.4, color: [0.2, 0.36, 0.3] },
  { height: 0.84, swing: 0.04, waves: 2.2, shift: 1.2, color: [0.28, 0.46, 0.2] },
];

const ridgeLine = ({ height, swing, waves, shift }: Ridge, u: number): number =>
  height - swing * (Math.sin(u * waves + shift) + 0.35 * Math.sin(u * waves * 2.7 + shift * 3));

/** Softness of an edge, relative to the image height: about two pixels at 512. */
const EDGE = 0.004;

const landscape: Painter = (u) => {
  const lines = Float64Array.from(RIDGES, (ridge) => ridgeLine(ridge, u));
  return (v) => {
    // Front to back: hidden hills are not drawn.
    let nearest = RIDGES.length - 1;
    while (nearest >= 0 && v - (lines[nearest] ?? 0) < EDGE) nearest -= 1;
    let color = nearest < 0 ? sky(u, v) : hill(nearest, v - (lines[nearest] ?? 0), u, v);
    for (let i = nearest + 1; i < RIDGES.length; i += 1) {
      const below = v - (lines[i] ?? 0);
      if (below > -EDGE) color = mix(color, hill(i, below, u, v), ramp(-EDGE, EDGE, below));
    }
    return color;
  };
};

function hill(i: number, below: number, u: number, v: number): Rgb {
  const texture = 0.82 + 0.3 * grain(u, v, 60) * grain(u * 1.7, v * 3.1, 140);
  return shade(RIDGES[i]?.color ?? HORIZON, texture * (1.12 - 1.4 * Math.min(Math.max(below, 0), 0.25)));
}

function sky(u: number, v: number): Rgb {
  const distance = length(u - SUN_AT.u, v - SUN_AT.v);
  const air = mix(ZENITH, HORIZON, ramp(-0.1, 0.6, v));
  const cloud =
    v < 0.5
      ? ramp(0.52, 0.8, 0.65 * grain(u * 0.6, v * 1.9, 11) + 0.35 * grain(u, v * 3, 26)) * ramp(0.5, 0.1, v) * 0.45
      : 0;
  const glow = mix(mix(air, CLOUD, cloud), SUN, 0.75 * Math.exp(-distance * 9));
  return mix(glow, SUN, ramp(SUN_AT.radius + EDGE, SUN_AT.radius - EDGE, distance));
}

/** A face in circles and ellipses: round edges, smooth shading, few details. */

const SKIN: Rgb = [0.86, 0.64, 0.5];
const HAIR: Rgb = [0.2, 0.13, 0.1];
const SHIRT: Rgb = [0.2, 0.38, 0.5];
const LIPS: Rgb = [0.68, 0.3, 0.3];
const WHITE: Rgb = [0.95, 0.94, 0.92];
const IRIS: Rgb = [0.24, 0.36, 0.3];
const BLUSH: Rgb = [0.9, 0.48, 0.42];
const DARK: Rgb = [0.06, 0.05, 0.06];

type Ellipse = Readonly<Record<'u' | 'v' | 'a' | 'b', number>>;

const ellipse = (u: number, v: number, a: number, b = a): Ellipse => ({ u, v, a, b });

const distanceTo = ({ u, v, a, b }: Ellipse, x: number, y: number): number => length((x - u) / a, (y - v) / b);

/** Coverage of an ellipse: 1 inside, 0 outside, with a soft edge of about two pixels at 512. */
function inside(area: Ellipse, x: number, y: number): number {
  const edge = 0.003 / Math.min(area.a, area.b);
  const reach = 1 + edge;
  if (Math.abs(x - area.u) > area.a * reach || Math.abs(y - area.v) > area.b * reach) return 0;
  return ramp(reach, 1 - edge, distanceTo(area, x, y));
}

const PUPIL_HOLE = ellipse(0.417, 0.43, 0.009);
const CHEEK = ellipse(0.39, 0.53, 0.05, 0.04);

interface Layer {
  readonly area: Ellipse;
  /** On the left half and its mirror image. */
  readonly twice: boolean;
  readonly paint: (light: number, u: number, v: number) => Rgb;
}

const once = (area: Ellipse, paint: Layer['paint']): Layer => ({ area, twice: false, paint });
const twice = (area: Ellipse, paint: Layer['paint']): Layer => ({ area, twice: true, paint });

/** From back to front: hair, shoulders, neck, face, nose, mouth; brows, eyes, pupils; fringe. */
const LAYERS: readonly Layer[] = [
  once(ellipse(0.5, 0.4, 0.25, 0.28), (_, u, v) => shade(HAIR, 0.8 + 0.7 * grain(u * 4, v * 0.6, 50))),
  once(ellipse(0.5, 1.08, 0.42, 0.3), (light, u, v) => shade(SHIRT, light * (0.85 + 0.2 * grain(u, v, 90)))),
  once(ellipse(0.5, 0.74, 0.085, 0.14), (light) => shade(SKIN, light * 0.82)),
  once(ellipse(0.5, 0.46, 0.2, 0.265), (light, u, v) =>
    mix(shade(SKIN, light), BLUSH, 0.28 * ramp(1, 0, distanceTo(CHEEK, fold(u), v))),
  ),
  once(ellipse(0.508, 0.51, 0.022, 0.05), (light) => shade(SKIN, light * 0.9)),
  once(ellipse(0.5, 0.6, 0.062, 0.018), (light) => shade(LIPS, light)),
  twice(ellipse(0.412, 0.385, 0.052, 0.011), () => HAIR),
  twice(ellipse(0.415, 0.43, 0.04, 0.022), () => WHITE),
  twice(ellipse(0.417, 0.43, 0.019), (_, u, v) => mix(IRIS, DARK, inside(PUPIL_HOLE, fold(u), v))),
  once(ellipse(0.44, 0.235, 0.24, 0.12), (_, u, v) => shade(HAIR, 0.8 + 0.9 * grain(u * 0.8, v * 4, 50))),
];

/** Mirrors u into the left half. */
const fold = (u: number): number => (u < 0.5 ? u : 1 - u);

const portrait: Painter = (u) => {
  const layers = LAYERS.filter(({ area, twice: both }) => Math.abs((both ? fold(u) : u) - area.u) < area.a * 1.3);
  return (v) => {
    // Light from the upper left.
    const light = 1.08 - 0.42 * ramp(0.4, 0.75, u) - 0.15 * ramp(0.4, 0.75, v);
    let color = backdrop(u, v);
    for (const { area, twice: both, paint } of layers) {
      const cover = inside(area, both ? fold(u) : u, v);
      if (cover > 0) color = mix(color, paint(light, u, v), cover);
    }
    return color;
  };
};

const backdrop = (u: number, v: number): Rgb =>
  mix([0.84, 0.8, 0.7], [0.36, 0.42, 0.46], ramp(0.1, 0.95, length(u - 0.25, v - 0.2)));

/** A test chart: edges of every direction and many widths, letters, gray steps and plain colors. */

const PAPER: Rgb = [0.96, 0.96, 0.94];
const INK: Rgb = [0.08, 0.09, 0.12];

const LETTERS: Readonly<Record<string, readonly string[]>> = {
  C: ['.###', '#...', '#...', '#...', '.###'],
  O: ['.##.', '#..#', '#..#', '#..#', '.##.'],
  N: ['#..#', '##.#', '#.##', '#..#', '#..#'],
  V: ['#..#', '#..#', '#..#', '.##.', '.##.'],
  '2': ['###.', '...#', '.##.', '#...', '####'],
  D: ['###.', '#..#', '#..#', '#..#', '###.'],
};
const WORD = 'CONV2D';
const LETTER_WIDTH = 5;

const COLORS: readonly Rgb[] = [
  [0.85, 0.2, 0.18],
  [0.95, 0.62, 0.14],
  [0.93, 0.86, 0.25],
  [0.27, 0.62, 0.3],
  [0.18, 0.45, 0.75],
  [0.45, 0.27, 0.6],
];
const GRAYS = 8;

const gray = (value: number): Rgb => [value, value, value];
const ink = (dark: boolean): Rgb => (dark ? INK : PAPER);

const testChart: Painter = (u) => (v) => {
  if (u < 0.04 || u > 0.96 || v < 0.04 || v > 0.96) return ink((Math.floor(u * 25) + Math.floor(v * 25)) % 2 !== 0);
  if (v < 0.26) return word((u - 0.1) / 0.8, (v - 0.08) / 0.15);
  if (v < 0.72) return u < 0.5 ? star(u - 0.28, v - 0.49) : rings(u - 0.73, v - 0.49);
  if (v < 0.83) return stripes(u);
  const place = (u - 0.04) / 0.92;
  if (v < 0.9) return gray(Math.floor(place * GRAYS) / (GRAYS - 1));
  return COLORS[Math.floor(place * COLORS.length)] ?? INK;
};

function word(x: number, y: number): Rgb {
  if (x < 0 || x >= 1 || y < 0 || y >= 1) return PAPER;
  const column = Math.floor(x * WORD.length * LETTER_WIDTH);
  const letter = LETTERS[WORD[Math.floor(column / LETTER_WIDTH)] ?? ''];
  return ink(letter?.[Math.floor(y * 5)]?.[column % LETTER_WIDTH] === '#');
}

/** Siemens star: edges of every direction, finer towards the middle. */
function star(x: number, y: number): Rgb {
  const distance = length(x, y);
  if (distance > 0.2) return PAPER;
  const wave = Math.sin(Math.atan2(y, x) * 18);
  const edge = 0.04 / Math.max(distance * 18, 0.1);
  return gray(0.08 + 0.88 * ramp(-edge, edge, wave));
}

/** Zone plate: rings, finer outwards. */
function rings(x: number, y: number): Rgb {
  const distance = length(x, y);
  if (distance > 0.2) return PAPER;
  return gray(0.52 + 0.44 * Math.cos(distance * distance * 900));
}

/** Bars of growing frequency. */
const stripes = (u: number): Rgb => ink(Math.floor(6 * (2 ** (4 * u) - 1)) % 2 === 0);

const PAINTERS = { landscape, test_chart: testChart, portrait };
export type SampleName = keyof typeof PAINTERS;

/** ITU-R BT.601, as for opened images. */
const luma = ([r, g, b]: Rgb): number => 0.299 * r + 0.587 * g + 0.114 * b;

const clamp = (value: number): number => Math.min(Math.max(value, 0), 1);

/**
 * Draws a sample as [rows, cols, channels] row-major values 0..1, like an opened image. Three channels are red, green
 * and blue; any other number of channels repeats the gray image.
 */
export function drawSample(name: SampleName, rows: number, cols: number, channels: number): Float32Array {
  const paint = PAINTERS[name];
  const data = new Float32Array(rows * cols * channels);
  const scale = 1 / Math.max(Math.min(rows, cols), 1);
  const columns = Array.from({ length: cols }, (_, col) => paint((col + 0.5 - cols / 2) * scale + 0.5));
  let at = 0;
  for (let row = 0; row < rows; row += 1) {
    const v = (row + 0.5 - rows / 2) * scale + 0.5;
    for (const paintColumn of columns) {
      const color = paintColumn(v);
      if (channels === 3) {
        data[at] = clamp(color[0]);
        data[at + 1] = clamp(color[1]);
        data[at + 2] = clamp(color[2]);
      } else {
        data.fill(clamp(luma(color)), at, at + channels);
      }
      at += channels;
    }
  }
  return data;
}

/** Red, green and blue, 0..1 each (values outside are clamped). */
type Rgb = readonly [number, number, number];

/**
 * An image as a function of the position, for any size: first of the column u, so that work for a column is shared,
 * then of the row v. u is 0 at the left and 1 at the right of the largest centered square, v is 0 at its top and 1 at
 * its bottom. Wide images exceed 0..1 in u, tall images in v.
 */
type Painter = (u: number) => (v: number) => Rgb;

/** Color arithmetic. */

const mix = (a: Rgb, b: Rgb, t: number): Rgb => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
];

const shade = (a: Rgb, factor: number): Rgb => [a[0] * factor, a[1] * factor, a[2] * factor];

/** Ten times as fast as Math.hypot, which guards against overflow. */
const length = (x: number, y: number): number => Math.sqrt(x * x + y * y);

/** 0 below `from`, 1 above `to`, smooth in between; `from` may be larger than `to`. */
function ramp(from: number, to: number, value: number): number {
  const t = Math.min(Math.max((value - from) / (to - from), 0), 1);
  return t * t * (3 - 2 * t);
}

/** Random numbers 0..1 on a SIDE x SIDE torus: a look-up is several times faster than a hash. */
const SIDE = 64;
const LATTICE = Float32Array.from({ length: SIDE * SIDE }, (_, i) => {
  let h = Math.imul(i + 1, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return ((h ^ (h >>> 15)) >>> 0) / 2 ** 32;
});

/** Smooth value noise 0..1 with about `cells` grains across the image. */
function grain(u: number, v: number, cells: number): number {
  const x = u * cells;
  const y = v * cells;
  const i = Math.floor(x);
  const j = Math.floor(y);
  const s = x - i;
  const t = y - j;
  const smooth = s * s * (3 - 2 * s);
  const top = (j & (SIDE - 1)) * SIDE;
  const bottom = ((j + 1) & (SIDE - 1)) * SIDE;
  const left = i & (SIDE - 1);
  const right = (i + 1) & (SIDE - 1);
  const above = at(top + left) + (at(top + right) - at(top + left)) * smooth;
  const below = at(bottom + left) + (at(bottom + right) - at(bottom + left)) * smooth;
  return above + (below - above) * (t * t * (3 - 2 * t));
}

const at = (index: number): number => LATTICE[index] ?? 0;
