/** Sections of the controls, the ones that are changed most often first. */
export const SECTIONS = [
  { id: 'moves', symbol: '↔', title: 'padding, stride, dilation' },
  { id: 'x', symbol: 'x', title: 'input' },
  { id: 'w', symbol: 'w', title: 'kernel' },
  { id: 'dy', symbol: 'dy', title: 'upstream gradient' },
] as const;
