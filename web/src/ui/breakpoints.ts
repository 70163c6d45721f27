/** The breakpoints of the layout: `@media (--wide)` in a style sheet, matchMedia(BREAKPOINTS.wide) in a script. */
export const BREAKPOINTS = {
  /** Controls, stage and side panel are side by side. */
  wide: '(min-width: 1100px) and (min-height: 500px)',
  /** Controls and side panel are sheets: one at a time, opened by a button. */
  narrow: '(max-width: 1099px), (max-height: 499px)',
  /** The lecture view. */
  lecture: '(min-width: 1000px)',
  /** Wider columns beside the stage. */
  large: '(min-width: 1440px) and (min-height: 500px)',
  /** The views are a menu. */
  compact: '(max-width: 899px)',
  /** A sheet is below the stage, not beside it. */
  phone: '(max-width: 599px)',
  /** A small phone, or a page zoomed to 400 %. */
  small: '(max-width: 359px)',
  /** So low that the page scrolls: parts that stay in place would cover the stage. */
  low: '(max-height: 299px)',
} as const;

/** Whether a pointer can rest on an element, as on a device with a keyboard; a touch screen names no keys. */
export const canHover = (): boolean => matchMedia('(hover: hover)').matches;

/** Whether controls and side panel are beside the stage. */
export const isWide = (): boolean => matchMedia(BREAKPOINTS.wide).matches;
