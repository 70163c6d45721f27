import type { ComponentChildren } from 'preact';
import { themeChoice } from '../../ui/theme';

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

export const LinkIcon = () => (
  <Icon>
    <path d="M8.5 11.5a3 3 0 0 0 4.3 0l3-3a3 3 0 0 0-4.3-4.3l-1 1M11.5 8.5a3 3 0 0 0-4.3 0l-3 3a3 3 0 0 0 4.3 4.3l1-1" />
  </Icon>
);

export const ExportIcon = () => (
  <Icon>
    <path d="M10 3v9m-3.5-3.5L10 12l3.5-3.5M3 13.5V17h14v-3.5" />
  </Icon>
);

const SunIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="3.4" />
    <path d="M10 2v1.6M10 16.4V18M2 10h1.6M16.4 10H18M4.3 4.3l1.2 1.2M14.5 14.5l1.2 1.2M4.3 15.7l1.2-1.2M14.5 5.5l1.2-1.2" />
  </Icon>
);

const MoonIcon = () => (
  <Icon>
    <path d="M16.5 11.8A7 7 0 0 1 8.2 3.5a7 7 0 1 0 8.3 8.3Z" />
  </Icon>
);

const AutoIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="7" />
    <path d="M10 3v14a7 7 0 0 0 0-14Z" fill="currentColor" />
  </Icon>
);

export const ImageIcon = () => (
  <Icon>
    <rect x="2.5" y="4" width="15" height="12" rx="2" />
    <path d="m3 14 4-4 3.2 3.2L13 10.5l4 4M13.2 7.4h.01" />
  </Icon>
);

/** Shows the current theme, not the one that a click selects. */
export function ThemeIcon() {
  const Chosen = { auto: AutoIcon, light: SunIcon, dark: MoonIcon }[themeChoice.value];
  return <Chosen />;
}

/** Collapses a column to the left, or expands it. */
export function CollapseIcon({ open }: { readonly open: boolean }) {
  return (
    <Icon>
      <rect x="3" y="4" width="14" height="12" rx="2" />
      <path d="M8 4v12" />
      <path d={open ? 'M14 8l-2.2 2 2.2 2' : 'M11.8 8l2.2 2-2.2 2'} />
    </Icon>
  );
}
