import { render } from 'preact';
import { readLink } from '../link/read-link';
import { forgetReplaced } from '../ui/forget-replaced';
import { startTheme } from '../ui/theme';
import { App } from './App';
import { createPage, type Page } from './page';

/** Puts the page into an element of the document. */
export async function start(root: HTMLElement): Promise<void> {
  startTheme();
  forgetReplaced();
  const opened = await readLink(window.location.hash);
  const page = createPage(window, opened);
  render(<App page={page} />, root);
  if (import.meta.env.PROD) whenShown(page, () => keepForLater(page));
}

/** Calls `act` once, when the first numbers are there: nothing that is only for later delays them. */
function whenShown({ scene }: Page, act: () => void): void {
  const stop = scene.subscribe((content) => {
    if (!content) return;
    queueMicrotask(() => stop());
    act();
  });
}

/** A page that is not kept for use without network works as well; the next visit tries again. */
function keepForLater({ address }: Page): void {
  import('./offline/keep-offline').then(({ keepOffline }) => keepOffline(address.write)).catch(() => undefined);
}
