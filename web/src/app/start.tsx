import { render } from 'preact';
import { readLink } from '../link/read-link';
import type { RestoredPage } from '../persist/restore-page';
import { readStored } from '../storage/storage';
import { startSingleKeys } from '../ui/single-keys';
import { startTheme } from '../ui/theme';
import { App } from './App';
import { createPage, type Page } from './page';

/** Renders the page into `root`. */
export async function start(root: HTMLElement): Promise<void> {
  startTheme();
  startSingleKeys();
  const { hash } = window.location;
  const direct = isMarked() ? null : await readLink(hash);
  const recalled = direct?.missing.length === 0 ? null : await restorePage(hash).catch(() => null);
  const page = createPage(window, recalled?.opened ?? direct ?? (await readLink(hash)));
  render(<App page={page} />, root);
  // On failure, offline use and saving start at the next visit.
  whenShown(page, () => startAfterFirstResult(page, recalled).catch(() => undefined));
}

/** Whether the previous page in this tab saved inputs (persist/tab-state.ts). */
const isMarked = (): boolean => readStored('sessionStorage', 'kept') !== null;

/** Inputs that are too large for a link may be saved in this browser. */
const restorePage = async (hash: string): Promise<RestoredPage> =>
  (await import('../persist/restore-page')).restorePage(hash);

const startAfterFirstResult = async (page: Page, recalled: RestoredPage | null): Promise<void> =>
  (await import('./after-first-result')).afterFirstResult(page, recalled);

/** Calls `act` once, after the first result. Modules that `act` loads would delay that result if loaded earlier. */
function whenShown({ scene }: Page, act: () => void): void {
  const stop = scene.subscribe((content) => {
    if (!content) return;
    queueMicrotask(() => stop());
    act();
  });
}
