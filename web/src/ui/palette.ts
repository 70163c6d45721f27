export type Theme = 'light' | 'dark';

/**
 * The grid colors that style sheets and canvases share. The theme writes them to the document as --zero, --padding, ...
 * (theme.ts). Colors that only style sheets use are in styles/tokens.css.
 */
interface GridColors {
  /** A zero that is data: the page's background. */
  readonly zero: string;
  /** Background of dots and hatching. */
  readonly padding: string;
  /** Zeros of the padding. */
  readonly dot: string;
  /** Zeros inserted between data. */
  readonly hatch: string;
  readonly 'cell-line': string;
}

export const GRID_COLORS: Readonly<Record<Theme, GridColors>> = {
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

/** Figures on light and on dark cells. */
export const DARK_INK = '#000000';
export const LIGHT_INK = '#ffffff';

/** Distance of dots, and of hatching lines along an edge, in CSS pixels; --pitch. */
export const PITCH = 7;
/** --dot-radius */
export const DOT_RADIUS = 1.1;

/** Writes the colors as CSS variables. Call it when the theme changes. */
export function writePalette(theme: Theme, { style }: HTMLElement): void {
  for (const [name, color] of Object.entries(GRID_COLORS[theme])) style.setProperty(`--${name}`, color);
  style.setProperty('--pitch', `${PITCH}px`);
  style.setProperty('--dot-radius', `${DOT_RADIUS}px`);
}
