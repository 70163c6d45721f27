import { effect } from '@preact/signals';
import { render } from 'preact';
import { readLink } from '../link/read-link';
import type { RestoredPage } from '../persist/restore-page';
import { readStored } from '../storage/storage';
import { startSingleKeys } from '../ui/single-keys';
import { startTheme } from '../ui/theme';
import { App } from './App';
import { deferred } from './deferred/deferred';
import { createPage, type Page } from './page/page';

export async function start(root: HTMLElement): Promise<void> {
  startTheme();
  startSingleKeys();
  const { hash } = window.location;
  // The mark says that the previous page in this tab saved inputs (persist/browser-storage.ts).
  const direct = readStored('sessionStorage', 'kept') !== null ? null : await readLink(hash);
  const recalled = direct?.missing.length === 0 ? null : await restorePage(hash).catch(() => null);
  const page = createPage(window, recalled?.opened ?? direct ?? (await readLink(hash)));
  // A lesson shows only a part of the page. If it fails to load, all of the page is shown.
  if (page.look.lesson.peek()) await openLesson(page).catch(() => undefined);
  const untouched = hash.length > 1 ? null : page.address.seen();
  render(<App page={page} />, root);
  const stop = effect(() => {
    const parts = page.currentContent.value && deferred.loaded.value;
    if (!parts) return;
    queueMicrotask(() => stop());
    // On failure, offline use and saving start at the next visit.
    parts.afterFirstResult(page, recalled, untouched).catch(() => undefined);
  });
}

const openLesson = async (page: Page) => (await import('./lesson/course')).courseOf(page);

/** Inputs that are too large for a link may be saved in this browser. */
const restorePage = async (hash: string): Promise<RestoredPage> =>
  (await import('../persist/restore-page')).restorePage(hash);
