import { computed, effect, signal } from '@preact/signals';
import { readStored, writeStored } from '../storage/storage';
import { type Theme, writePalette } from './color-scale';

export type ThemeChoice = 'auto' | Theme;

const STORAGE_KEY = 'theme';

function stored(): ThemeChoice {
  const value = readStored('localStorage', STORAGE_KEY);
  return value === 'light' || value === 'dark' ? value : 'auto';
}

const system = signal<Theme>('light');

export const themeChoice = signal<ThemeChoice>('auto');
/** The current theme; canvases and cells use its colors. */
export const theme = computed<Theme>(() => (themeChoice.value === 'auto' ? system.value : themeChoice.value));

/** The theme, for a component that uses its colors. */
export const useTheme = (): Theme => theme.value;

/** Follows the system and the stored choice. Call once, before rendering. With `given`, nothing is read or stored. */
export function startTheme(given?: ThemeChoice): void {
  const query = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => {
    system.value = query.matches ? 'dark' : 'light';
  };
  follow();
  query.addEventListener('change', follow);
  themeChoice.value = given ?? stored();
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
    writePalette(theme.value, document.documentElement);
    if (!given) writeStored('localStorage', STORAGE_KEY, themeChoice.value);
  });
}
