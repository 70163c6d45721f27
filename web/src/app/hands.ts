import type { Hands } from '../commands/command';
import { type ThemeChoice, themeChoice } from '../ui/theme';
import { createExplanation } from './explain/explanation';
import type { Page } from './page';
import { copyLink } from './Toast';

const NEXT: Readonly<Record<ThemeChoice, ThemeChoice>> = { auto: 'light', light: 'dark', dark: 'auto' };
const NAMES: Readonly<Record<ThemeChoice, string>> = { auto: 'as the system', light: 'light', dark: 'dark' };

/** What commands act on, on this page. */
export const createHands = (
  { store, look, address }: Page,
  say: (message: string) => void,
  showKeys: () => void,
): Hands => ({
  store,
  look,
  theme: {
    words: () => `Colours: ${NAMES[themeChoice.value]}. Switch to ${NAMES[NEXT[themeChoice.value]]}`,
    next() {
      themeChoice.value = NEXT[themeChoice.value];
    },
  },
  explanation: createExplanation(document),
  copyLink: () => void copyLink(address.write).then(say),
  showKeys,
});
