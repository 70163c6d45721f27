import { render } from 'preact';
import type { Recalled } from '../keep/recall';
import { readLink } from '../link/read-link';
import { startTheme } from '../ui/theme';
import { App } from './App';
import { createPage, type Page } from './page';

/** Puts the page into an element of the document. */
export async function start(root: HTMLElement): Promise<void> {
  startTheme();
  const { hash } = window.location;
  const direct = isMarked() ? null : await readLink(hash);
  const recalled = direct?.missing.length === 0 ? null : await recall(hash).catch(() => null);
  const page = createPage(window, recalled?.opened ?? direct ?? (await readLink(hash)));
  render(<App page={page} />, root);
  // What is only for later works as well from the next visit on.
  whenShown(page, () => afterwards(page, recalled).catch(() => undefined));
}

/** Whether the page that was in this tab before left something (keep/mark.ts). */
function isMarked(): boolean {
  try {
    return sessionStorage.getItem('kept') !== null;
  } catch {
    return false;
  }
}

/** What a link cannot carry may be kept in this browser. */
const recall = async (hash: string): Promise<Recalled> => (await import('../keep/recall')).recall(hash);

const afterwards = async (page: Page, recalled: Recalled | null): Promise<void> =>
  (await import('./afterwards')).afterwards(page, recalled);

/** Calls `act` once, when the first numbers are there: nothing that is only for later delays them. */
function whenShown({ scene }: Page, act: () => void): void {
  const stop = scene.subscribe((content) => {
    if (!content) return;
    queueMicrotask(() => stop());
    act();
  });
}
