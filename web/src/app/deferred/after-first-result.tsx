import { render } from 'preact';
import type { LinkContent } from '../../link/field';
import { writeLink } from '../../link/write-link';
import { Persister } from '../../persist/persister';
import type { RestoredPage } from '../../persist/restore-page';
import { readStored } from '../../storage/storage';
import { forgetReplaced } from '../../ui/forget-replaced';
import { lazy } from '../../ui/lazy';
import type { ImageOrigin, Page } from '../page/page';
import { NotSavedNotice } from './corner';
import { enableOffline } from './offline/enable-offline';
import './corner.css';
import '../../ui/grid/cell-lens.css';

const lateParts = lazy('A part of the page', () => import('./late-parts'));

/**
 * Runs after the first result: stores the problem and the files of the page, and frees replaced virtual DOM trees. `untouched`: the
 * state of a page without a link before any change.
 */
export async function afterFirstResult(
  page: Page,
  recalled: RestoredPage | null,
  untouched: LinkContent | null,
): Promise<void> {
  forgetReplaced();
  showOpeningOnce(page, untouched);
  const { store, look, address, images } = page;
  const { source } = store.problem.peek().x;
  if (recalled?.file && source.kind === 'file') images.origins.set(source, recalled.file as ImageOrigin);
  const persister = new Persister({
    store,
    look,
    address,
    id: recalled?.id ?? null,
    fileOf: (of) => images.origins.get(of),
    page: window,
  });
  const corner = document.body.appendChild(document.createElement('div'));
  corner.className = 'corner column loose';
  const place = corner.appendChild(document.createElement('div'));
  render(<NotSavedNotice restored={recalled?.restored ?? []} refused={persister.refused} address={address} />, place);
  const silence = corner.appendChild(document.createElement('div'));
  lateParts.use(
    ({ measureMemory, SilenceNotice, speakChanges }) => {
      measureMemory();
      speakChanges(page, corner);
      render(<SilenceNotice client={page.client} store={store} />, silence);
    },
    () => undefined,
  );
  if (!import.meta.env.PROD) return;
  await enableOffline(corner, () => {
    address.flush(writeLink);
    return persister.flush();
  });
}

const opening = lazy('The opening', () => import('./opening'));

/** Shows the opening problem in motion, once per browser. Not for a link that has more. */
function showOpeningOnce(page: Page, untouched: LinkContent | null): void {
  const { problem, look } = page.address.seen();
  const isPlain = problem === untouched?.problem && look === untouched.look && page.look.highlights.peek()?.suggested;
  if (!isPlain || document.hidden || readStored('localStorage', 'opening') !== null) return;
  // If it fails to load, the page is complete without it.
  opening.use(
    ({ showOpening }) => showOpening(page),
    () => undefined,
  );
}
