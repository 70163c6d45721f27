import type { ConvError } from './errors';
import type { ConvDesc, Padding } from './problem';

type Size = 'n' | 'h' | 'w' | 'c' | 'k' | 'kh' | 'kw' | 'groups';
type Step = 'stride_h' | 'stride_w' | 'dilation_h' | 'dilation_w';
export type LimitedField = Size | Step | `padding.${keyof Padding}`;

/**
 * Maximum sizes of a problem on the page, for controls, links and images. The library has its own limits (shapes.ts); work.ts
 * limits the cost.
 */
export const LIMITS: Readonly<Record<LimitedField, number>> = {
  ...{ n: 64, h: 4096, w: 4096, c: 256, k: 256, kh: 31, kw: 31, groups: 256 },
  ...{ stride_h: 32, stride_w: 32, dilation_h: 32, dilation_w: 32 },
  ...{ 'padding.top': 64, 'padding.bottom': 64, 'padding.left': 64, 'padding.right': 64 },
};

/** Text after "at most 64: ". */
export const LIMIT_REASON = 'the page does not draw more';

/** Maximum size of a link that is read, and number of its faults that are listed. Links that the page creates are shorter. */
export const LINK_LIMITS = { characters: 2 ** 17, parts: 256, complaints: 8 } as const;

/** Maximum characters of a link that another link contains. */
export const MOST_BESIDE = 2 ** 14;

/** The descriptor with one field per side of the padding, named as in errors. */
export function flat({ padding, ...desc }: ConvDesc): Readonly<Record<string, string | number>> {
  const sides = Object.entries(padding).map(([side, cells]) => [`padding.${side}`, cells]);
  return { ...desc, ...Object.fromEntries(sides) };
}

/** Error for the first field above its limit, or null. */
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
