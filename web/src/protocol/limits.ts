import type { ConvError } from './errors';
import type { ConvDesc, Padding } from './problem';

type Size = 'n' | 'h' | 'w' | 'c' | 'k' | 'kh' | 'kw' | 'groups';
type Step = 'stride_h' | 'stride_w' | 'dilation_h' | 'dilation_w';
export type LimitedField = Size | Step | `padding.${keyof Padding}`;

/**
 * THE TABLE of how large a problem may be that the page shows, for controls, links and pictures alike. What a convolution
 * may be at all is the library's to say (shapes.ts); what it costs, work.ts.
 */
export const LIMITS: Readonly<Record<LimitedField, number>> = {
  ...{ n: 64, h: 4096, w: 4096, c: 256, k: 256, kh: 31, kw: 31, groups: 256 },
  ...{ stride_h: 32, stride_w: 32, dilation_h: 32, dilation_w: 32 },
  ...{ 'padding.top': 64, 'padding.bottom': 64, 'padding.left': 64, 'padding.right': 64 },
};

/** To go behind "at most 64: ". */
export const LIMIT_REASON = 'more is not drawn here';

/** What is read of a link at all, and how many of its faults are said one by one. The page makes none that is longer. */
export const LINK_LIMITS = { characters: 2 ** 17, parts: 256, complaints: 8 } as const;

/** Characters of a link that stands in another. */
export const MOST_BESIDE = 2 ** 14;

/** The descriptor with the sides of its padding as fields of their own, named as in errors. */
export function flat({ padding, ...desc }: ConvDesc): Readonly<Record<string, string | number>> {
  const sides = Object.entries(padding).map(([side, cells]) => [`padding.${side}`, cells]);
  return { ...desc, ...Object.fromEntries(sides) };
}

/** The first field that is beyond its limit, or null. */
export function checkLimits(desc: ConvDesc): ConvError | null {
  const values = flat(desc);
  for (const [field, most] of Object.entries(LIMITS)) {
    const value = values[field];
    if (typeof value === 'number' && value > most) {
      const message = `${field} is ${value}, but at most ${most}: ${LIMIT_REASON}`;
      return { code: 'beyond_limits', field, message };
    }
  }
  return null;
}
