import type { ConvError } from './errors';
import type { ConvDesc, Padding } from './problem';

/**
 * THE TABLE of how large a problem may be that the page shows, for controls, links and pictures alike. What a convolution
 * may be at all is the library's to say (shapes.ts); what it costs, work.ts.
 */
export interface Limit {
  readonly most: number;
  /** Why there are no more, to go behind "at most 64: ". */
  readonly reason: string;
}

type Size = 'n' | 'h' | 'w' | 'c' | 'k' | 'kh' | 'kw' | 'groups';
type Step = 'stride_h' | 'stride_w' | 'dilation_h' | 'dilation_w';
export type LimitedField = Size | Step | `padding.${keyof Padding}`;

const PICTURE: Limit = { most: 4096, reason: 'larger pictures are not drawn here' };
const KERNEL: Limit = { most: 31, reason: 'larger kernels are not drawn here' };
const STEP: Limit = { most: 32, reason: 'nothing new is to be seen beyond' };
const PADDING: Limit = { most: 64, reason: 'wider edges are not drawn here' };

export const LIMITS: Readonly<Record<LimitedField, Limit>> = {
  n: { most: 64, reason: 'more images are not shown here' },
  h: PICTURE,
  w: PICTURE,
  c: { most: 256, reason: 'more channels are not shown here' },
  k: { most: 256, reason: 'more filters are not shown here' },
  kh: KERNEL,
  kw: KERNEL,
  groups: { most: 256, reason: 'more groups are not shown here' },
  stride_h: STEP,
  stride_w: STEP,
  dilation_h: STEP,
  dilation_w: STEP,
  'padding.top': PADDING,
  'padding.bottom': PADDING,
  'padding.left': PADDING,
  'padding.right': PADDING,
};

/** What is read of a link at all, and how many of its faults are said one by one. The longest that the page makes has a third. */
export const LINK_LIMITS = { characters: 2 ** 17, parts: 256, complaints: 8 } as const;

const FIELDS = Object.keys(LIMITS) as readonly LimitedField[];

/** What stands in a field. Padding of a mode follows from the rest, and has no limit of its own. */
function fieldOf(desc: ConvDesc, field: LimitedField): number {
  if (!isSide(field)) return desc[field];
  return desc.padding_mode === 'explicit_sides' ? desc.padding[sideOf(field)] : 0;
}

const isSide = (field: LimitedField): field is `padding.${keyof Padding}` => field.startsWith('padding.');
const sideOf = (field: `padding.${keyof Padding}`) => field.slice('padding.'.length) as keyof Padding;

/** The first field that is beyond its limit, or null. */
export function checkLimits(desc: ConvDesc): ConvError | null {
  const field = FIELDS.find((candidate) => fieldOf(desc, candidate) > LIMITS[candidate].most);
  if (field === undefined) return null;
  const { most, reason } = LIMITS[field];
  return {
    code: 'beyond_limits',
    field,
    message: `${field} is ${fieldOf(desc, field)}, but at most ${most}: ${reason}`,
  };
}
