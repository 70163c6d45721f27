import type { CommandContext, SheetName } from '../commands/command';
import type { LookStore } from '../look/look-store';
import { isWide } from '../ui/breakpoints';
import { type ThemeChoice, themeChoice } from '../ui/theme';
import { deferred } from './deferred/deferred';
import { createExplanationFocus } from './explain/explanation-focus';
import type { Page } from './page/page';

const NEXT: Readonly<Record<ThemeChoice, ThemeChoice>> = { auto: 'light', light: 'dark', dark: 'auto' };
const NAMES: Readonly<Record<ThemeChoice, string>> = { auto: 'system', light: 'light', dark: 'dark' };

export const createCommandContext = (
  page: Page,
  say: (message: string) => void,
  show: (sheet: SheetName) => void,
  { store, look, address, currentContent, kept } = page,
): CommandContext => ({
  store,
  look,
  theme: {
    label: () => `Theme: ${NAMES[themeChoice.value]} (change to ${NAMES[NEXT[themeChoice.value]]})`,
    next() {
      themeChoice.value = NEXT[themeChoice.value];
    },
  },
  explanation: createExplanationFocus(document, look),
  hideCell: () => deferred.use(({ toggleHidden }) => toggleHidden(page), say),
  keepResult() {
    const content = currentContent.value;
    if (!content || content.hides) return null;
    return () => {
      kept.result.value = content;
    };
  },
  copyLink: () =>
    deferred.use(
      ({ copyLink }) => copyLink(address, () => show('link')).then(say, () => say('No link was copied. Try again.')),
      say,
    ),
  show,
  toggleControls() {
    const { controls, sheet } = look;
    if (isWide()) controls.value = controls.value === 'open' ? 'folded' : 'open';
    else if (sheet.value === 'controls') closeSheet(look);
    else {
      controls.value = 'open';
      sheet.value = 'controls';
    }
  },
  closeSheet: () => closeSheet(look),
  showLessons() {
    look.side.value = 'lesson';
    look.sheet.value = 'side';
    focusLessons(look);
  },
});

/** Moves the focus out of the sheet, to the button that opens it. */
function closeSheet({ sheet }: LookStore): void {
  const id = sheet.peek();
  const isInside = document.activeElement?.closest(`#${id}`);
  if (isInside) document.querySelector<HTMLElement>(`[aria-controls="${id}"]`)?.focus();
  sheet.value = null;
}

/** Moves the focus to the lessons, as soon as they are loaded, unless the user has moved on. */
function focusLessons({ side }: LookStore): void {
  const { activeElement: from } = document;
  const next = () =>
    requestAnimationFrame(() => {
      const title = document.querySelector<HTMLElement>('.catalogue__title, .lesson__title');
      if (title) title.focus();
      else if (side.peek() === 'lesson' && document.activeElement === from) next();
    });
  next();
}
