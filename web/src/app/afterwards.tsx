import { render } from 'preact';
import { Keeper } from '../keep/keeper';
import type { Recalled } from '../keep/recall';
import { writeLink } from '../link/write-link';
import { forgetReplaced } from '../ui/forget-replaced';
import { KeepNotice } from './KeepNotice';
import { keepOffline } from './offline/keep-offline';
import type { Page } from './page';
import type { Origin } from './picture-room';
import './corner.css';

/** What begins when the first numbers are there: the page is kept, and what is on it; what edits replace is not. */
export async function afterwards(page: Page, recalled: Recalled | null): Promise<void> {
  forgetReplaced();
  const { store, look, address, pictures } = page;
  const { source } = store.problem.peek().x;
  if (recalled?.file && source.kind === 'file') pictures.origins.set(source, recalled.file as Origin);
  const keeper = new Keeper({
    store,
    look,
    address,
    id: recalled?.id ?? null,
    fileOf: (of) => pictures.origins.get(of),
    page: window,
  });
  const corner = document.body.appendChild(document.createElement('div'));
  corner.className = 'corner';
  const place = corner.appendChild(document.createElement('div'));
  render(<KeepNotice restored={recalled?.restored ?? []} refused={keeper.refused} address={address} />, place);
  if (!import.meta.env.PROD) return;
  await keepOffline(corner, () => {
    address.flush(writeLink);
    return keeper.flush();
  });
}
