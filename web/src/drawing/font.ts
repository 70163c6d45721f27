import type { Font } from './drawing';

/** As CSS and canvases write it. */
export const cssFont = ({ family, size, weight, italic }: Font): string =>
  `${italic ? 'italic ' : ''}${weight} ${size}px ${family}`;
