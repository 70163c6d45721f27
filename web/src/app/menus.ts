/** The menus of the header. */
export const MENUS = [
  { place: 'share', label: 'Share' },
  { place: 'more', label: 'More' },
] as const;
