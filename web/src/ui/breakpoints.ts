/**
 * The widths of the window at which the page is laid out differently, each named once: `@media (--wide)` in a style sheet,
 * matchMedia(BREAKPOINTS.wide) in a script.
 */
export const BREAKPOINTS = {
  /** Three columns, and nothing scrolls but they, each by itself. */
  wide: '(min-width: 1100px)',
  /** One column. */
  narrow: '(max-width: 1099px)',
  /** Wider columns beside the stage. */
  large: '(min-width: 1440px)',
  /** A narrow page that is no phone's: a sheet over it need not be as wide as the page. */
  tablet: '(min-width: 700px) and (max-width: 1099px)',
  phone: '(max-width: 479px)',
  /** A small phone, or a page that was magnified four times. */
  small: '(max-width: 359px)',
} as const;
