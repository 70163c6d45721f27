export type Theme = 'light' | 'dark';

/**
 * The colours of a grid that style sheets and canvases share, so that a zero looks the same as an element and as a part of
 * a map: the theme writes them to the document as --zero, --padding, ... (theme.ts). What only style sheets use is in
 * styles/tokens.css.
 */
interface GridColours {
  /** A zero that is data: the page's own tone. */
  readonly zero: string;
  /** The ground below the dots and the hatching. */
  readonly padding: string;
  /** Zeros of the padding. */
  readonly dot: string;
  /** Zeros inserted between data. */
  readonly hatch: string;
  readonly 'cell-line': string;
}

export const GRID_COLOURS: Readonly<Record<Theme, GridColours>> = {
  light: {
    zero: '#fbfaf7',
    padding: '#f2efe8',
    dot: '#b3ac9c',
    hatch: '#b3ada0',
    'cell-line': 'rgb(20 15 40 / 14%)',
  },
  dark: {
    zero: '#17161b',
    padding: '#26242d',
    dot: '#6a6674',
    hatch: '#6d6a78',
    'cell-line': 'rgb(255 255 255 / 13%)',
  },
};

/** From one dot, and along an edge from one line of the hatching, to the next, in CSS pixels; --pitch. */
export const PITCH = 7;
/** --dot-radius */
export const DOT_RADIUS = 1.1;

/** For elements: call it whenever the theme changes. */
export function writePalette(theme: Theme, { style }: HTMLElement): void {
  for (const [name, colour] of Object.entries(GRID_COLOURS[theme])) style.setProperty(`--${name}`, colour);
  style.setProperty('--pitch', `${PITCH}px`);
  style.setProperty('--dot-radius', `${DOT_RADIUS}px`);
}
