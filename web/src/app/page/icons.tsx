import type { ComponentChildren } from 'preact';

/** Attributes of a drawing in lines. */
export const LINES = { fill: 'none', stroke: 'currentColor' } as const;

/** Line icons on a 20 x 20 grid, drawn for this page. */
export function Icon({ path, children }: { path: string; children?: ComponentChildren }) {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 20 20"
      {...LINES}
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {children}
      <path d={path} />
    </svg>
  );
}

export const UndoIcon = () => <Icon path="M7 4 3 8l4 4M3 8h8.5a4.5 4.5 0 0 1 0 9H8" />;

export const RedoIcon = () => <Icon path="m13 4 4 4-4 4m4-4H8.5a4.5 4.5 0 0 0 0 9H12" />;

export const ImageIcon = () => (
  <Icon path="m3 14 4-4 3.2 3.2L13 10.5l4 4M13.2 7.4h.01">
    <rect x="2.5" y="4" width="15" height="12" rx="2" />
  </Icon>
);

export function CollapseIcon({ open }: { open: boolean }) {
  return (
    <Icon path={`M8 4v12${open ? 'M14 8l-2.2 2 2.2 2' : 'M11.8 8l2.2 2-2.2 2'}`}>
      <rect x="3" y="4" width="14" height="12" rx="2" />
    </Icon>
  );
}
