import type { Hands } from '../commands/command';
import { BREAKPOINTS } from '../ui/breakpoints';
import { patiently } from '../ui/late';
import { type ThemeChoice, themeChoice } from '../ui/theme';
import { createExplanation } from './explain/explanation';
import type { Page } from './page';
import type { SheetName } from './use-sheet';

const NEXT: Readonly<Record<ThemeChoice, ThemeChoice>> = { auto: 'light', light: 'dark', dark: 'auto' };
const NAMES: Readonly<Record<ThemeChoice, string>> = { auto: 'as the system', light: 'light', dark: 'dark' };

/** What commands act on, on this page. */
export const createHands = (
  page: Page,
  say: (message: string) => void,
  show: (sheet: SheetName) => void,
  { store, look, address } = page,
): Hands => ({
  store,
  look,
  theme: {
    words: () => `Colours: ${NAMES[themeChoice.value]}. Switch to ${NAMES[NEXT[themeChoice.value]]}`,
    next() {
      themeChoice.value = NEXT[themeChoice.value];
    },
  },
  explanation: createExplanation(document, look),
  hideCell() {
    patiently('What hides numbers', import('./predict/predictions'), say)
      .then(({ toggleHidden }) => toggleHidden(page))
      .catch(() => say('Nothing was hidden: a part of the page could not be fetched. Try again.'));
  },
  async copyLink() {
    const said = patiently('What copies the link', import('./copy-link'), say).then(({ copyLink }) =>
      copyLink(address, () => show('link')),
    );
    say(await said.catch(() => 'The link could not be made: a part of the page could not be fetched. Try again.'));
  },
  showKeys: () => show('keys'),
  showExamples: () => show('examples'),
  showExport: () => show('export'),
  showClass: () => show('class'),
  showLessons() {
    look.side.value = 'lesson';
    look.controlling.value = false;
    if (!matchMedia(BREAKPOINTS.wide).matches) look.sheet.value = 'half';
  },
});
