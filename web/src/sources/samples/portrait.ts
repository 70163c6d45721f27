import { grain, length, mix, ramp, shade } from './blend';
import type { Painter, Rgb } from './painter';

/** A face in circles and ellipses: round edges, smooth shading, few details. */

const SKIN: Rgb = [0.86, 0.64, 0.5];
const HAIR: Rgb = [0.2, 0.13, 0.1];
const SHIRT: Rgb = [0.2, 0.38, 0.5];
const LIPS: Rgb = [0.68, 0.3, 0.3];
const WHITE: Rgb = [0.95, 0.94, 0.92];
const IRIS: Rgb = [0.24, 0.36, 0.3];
const BLUSH: Rgb = [0.9, 0.48, 0.42];
const DARK: Rgb = [0.06, 0.05, 0.06];

interface Ellipse {
  readonly u: number;
  readonly v: number;
  readonly a: number;
  readonly b: number;
}

const distanceTo = ({ u, v, a, b }: Ellipse, x: number, y: number): number => length((x - u) / a, (y - v) / b);

/** Coverage of an ellipse: 1 inside, 0 outside, with a soft edge of about two pixels at 512. */
function inside(ellipse: Ellipse, x: number, y: number): number {
  const edge = 0.003 / Math.min(ellipse.a, ellipse.b);
  const reach = 1 + edge;
  if (Math.abs(x - ellipse.u) > ellipse.a * reach || Math.abs(y - ellipse.v) > ellipse.b * reach) return 0;
  return ramp(reach, 1 - edge, distanceTo(ellipse, x, y));
}

const FACE: Ellipse = { u: 0.5, v: 0.46, a: 0.2, b: 0.265 };
const NECK: Ellipse = { u: 0.5, v: 0.74, a: 0.085, b: 0.14 };
const SHOULDERS: Ellipse = { u: 0.5, v: 1.08, a: 0.42, b: 0.3 };
const HAIR_BACK: Ellipse = { u: 0.5, v: 0.4, a: 0.25, b: 0.28 };
const FRINGE: Ellipse = { u: 0.44, v: 0.235, a: 0.24, b: 0.12 };
const MOUTH: Ellipse = { u: 0.5, v: 0.6, a: 0.062, b: 0.018 };
const NOSE: Ellipse = { u: 0.508, v: 0.51, a: 0.022, b: 0.05 };
/** In the left half; the right half is its mirror image. */
const EYE: Ellipse = { u: 0.415, v: 0.43, a: 0.04, b: 0.022 };
const PUPIL: Ellipse = { u: 0.417, v: 0.43, a: 0.019, b: 0.019 };
const PUPIL_HOLE: Ellipse = { u: 0.417, v: 0.43, a: 0.009, b: 0.009 };
const BROW: Ellipse = { u: 0.412, v: 0.385, a: 0.052, b: 0.011 };
const CHEEK: Ellipse = { u: 0.39, v: 0.53, a: 0.05, b: 0.04 };

interface Layer {
  readonly ellipse: Ellipse;
  /** On the left half and its mirror image. */
  readonly twice: boolean;
  readonly paint: (light: number, u: number, v: number) => Rgb;
}

const once = (ellipse: Ellipse, paint: Layer['paint']): Layer => ({ ellipse, twice: false, paint });
const twice = (ellipse: Ellipse, paint: Layer['paint']): Layer => ({ ellipse, twice: true, paint });

/** From back to front. */
const LAYERS: readonly Layer[] = [
  once(HAIR_BACK, (_, u, v) => shade(HAIR, 0.8 + 0.7 * grain(u * 4, v * 0.6, 50))),
  once(SHOULDERS, (light, u, v) => shade(SHIRT, light * (0.85 + 0.2 * grain(u, v, 90)))),
  once(NECK, (light) => shade(SKIN, light * 0.82)),
  once(FACE, (light, u, v) => mix(shade(SKIN, light), BLUSH, 0.28 * ramp(1, 0, distanceTo(CHEEK, fold(u), v)))),
  once(NOSE, (light) => shade(SKIN, light * 0.9)),
  once(MOUTH, (light) => shade(LIPS, light)),
  twice(BROW, () => HAIR),
  twice(EYE, () => WHITE),
  twice(PUPIL, (_, u, v) => mix(IRIS, DARK, inside(PUPIL_HOLE, fold(u), v))),
  once(FRINGE, (_, u, v) => shade(HAIR, 0.8 + 0.9 * grain(u * 0.8, v * 4, 50))),
];

/** Mirrors u into the left half. */
const fold = (u: number): number => (u < 0.5 ? u : 1 - u);

export const portrait: Painter = (u) => {
  const layers = LAYERS.filter(
    ({ ellipse, twice: both }) => Math.abs((both ? fold(u) : u) - ellipse.u) < ellipse.a * 1.3,
  );
  return (v) => {
    // Light from the upper left.
    const light = 1.08 - 0.42 * ramp(0.4, 0.75, u) - 0.15 * ramp(0.4, 0.75, v);
    let color = backdrop(u, v);
    for (const { ellipse, twice: both, paint } of layers) {
      const cover = inside(ellipse, both ? fold(u) : u, v);
      if (cover > 0) color = mix(color, paint(light, u, v), cover);
    }
    return color;
  };
};

const backdrop = (u: number, v: number): Rgb =>
  mix([0.84, 0.8, 0.7], [0.36, 0.42, 0.46], ramp(0.1, 0.95, length(u - 0.25, v - 0.2)));
