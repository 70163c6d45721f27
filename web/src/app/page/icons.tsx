import type { ComponentChildren } from 'preact';

/** Line icons on a 20 x 20 grid, drawn for this page. */
export function Icon({ children }: { readonly children: ComponentChildren }) {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const UndoIcon = () => (
  <Icon>
    <path d="M7 4 3 8l4 4M3 8h8.5a4.5 4.5 0 0 1 0 9H8" />
  </Icon>
);

export const RedoIcon = () => (
  <Icon>
    <path d="m13 4 4 4-4 4m4-4H8.5a4.5 4.5 0 0 0 0 9H12" />
  </Icon>
);

export const ImageIcon = () => (
  <Icon>
    <rect x="2.5" y="4" width="15" height="12" rx="2" />
    <path d="m3 14 4-4 3.2 3.2L13 10.5l4 4M13.2 7.4h.01" />
  </Icon>
);

export function CollapseIcon({ open }: { readonly open: boolean }) {
  return (
    <Icon>
      <rect x="3" y="4" width="14" height="12" rx="2" />
      <path d="M8 4v12" />
      <path d={open ? 'M14 8l-2.2 2 2.2 2' : 'M11.8 8l2.2 2-2.2 2'} />
    </Icon>
  );
}
