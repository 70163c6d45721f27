/** The parts of the controls, in the order in which people change them: what moves w over x first. */
export const SECTIONS = [
  { id: 'moves', symbol: '↔', title: 'How w moves over x' },
  { id: 'x', symbol: 'x', title: 'input' },
  { id: 'w', symbol: 'w', title: 'kernel' },
  { id: 'dy', symbol: 'dy', title: 'upstream gradient' },
] as const;
