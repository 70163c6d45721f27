/** As printed on keyboards: "Ctrl Shift Z". */
export const shownKeys = (keys: string): string =>
  keys
    .replace('Control', 'Ctrl')
    .replace('Escape', 'Esc')
    .replace(/Page(?=[UD])/, 'Page ')
    .replaceAll('+', ' ');
