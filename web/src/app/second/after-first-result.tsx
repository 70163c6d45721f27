import { render } from 'preact';
import { writeLink } from '../../link/write-link';
import { Persister } from '../../persist/persister';
import type { RestoredPage } from '../../persist/restore-page';
import { forgetReplaced } from '../../ui/forget-replaced';
import type { ImageOrigin, Page } from '../page/page';
import { NotSavedNotice } from './corner';
import { enableOffline } from './offline/enable-offline';
import { showOpening } from './opening-motion';
import './corner.css';

/** Runs after the first result: stores the problem and the files of the page, and frees replaced virtual DOM trees. */
export async function afterFirstResult(page: Page, recalled: RestoredPage | null): Promise<void> {
  forgetReplaced();
  showOpening(page);
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
  corner.className = 'corner';
  const place = corner.appendChild(document.createElement('div'));
  render(<NotSavedNotice restored={recalled?.restored ?? []} refused={persister.refused} address={address} />, place);
  if (!import.meta.env.PROD) return;
  await enableOffline(corner, () => {
    address.flush(writeLink);
    return persister.flush();
  });
}
