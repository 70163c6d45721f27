/** The breakpoints of the layout: `@media (--wide)` in a style sheet, matchMedia(BREAKPOINTS.wide) in a script. */
export const BREAKPOINTS = {
  /** Three columns, each with its own scrolling; the page does not scroll. */
  wide: '(min-width: 1100px)',
  /** The lecture view, with the layout of a wide page. */
  lecture: '(min-width: 1000px)',
  narrow: '(max-width: 1099px)',
  /** Wider columns beside the stage. */
  large: '(min-width: 1440px)',
  /** Narrow, but wider than a phone: a sheet over the page can be narrower than the page. */
  tablet: '(min-width: 700px) and (max-width: 1099px)',
  phone: '(max-width: 479px)',
  /** A small phone, or a page zoomed to 400 %. */
  small: '(max-width: 359px)',
} as const;
