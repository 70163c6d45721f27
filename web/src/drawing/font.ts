import type { Font } from './drawing';

/** The CSS font shorthand. */
export const cssFont = ({ family, size, weight, italic }: Font): string =>
  `${italic ? 'italic ' : ''}${weight} ${size}px ${family}`;
