import { grain, length, mix, ramp, shade } from './blend';
import type { Painter, Rgb } from './painter';

/** Hills under a low sun: soft gradients in the sky, long edges on the ridges, texture on the meadow. */

const ZENITH: Rgb = [0.16, 0.3, 0.58];
const HORIZON: Rgb = [0.98, 0.76, 0.52];
const SUN: Rgb = [1, 0.95, 0.78];
const CLOUD: Rgb = [1, 1, 1];
const SUN_AT = { u: 0.68, v: 0.34, radius: 0.075 };

interface Ridge {
  readonly height: number;
  readonly swing: number;
  readonly waves: number;
  readonly shift: number;
  readonly color: Rgb;
}

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

export const landscape: Painter = (u) => {
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
