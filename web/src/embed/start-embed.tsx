import { render } from 'preact';
import { createPage } from '../app/page';
import { rooms } from '../app/stage/room';
import { readLink } from '../link/read-link';
import { forgetReplaced } from '../ui/forget-replaced';
import { startTheme } from '../ui/theme';
import { askedBy } from './asked';
import { createDriver } from './driver';
import { Embed } from './Embed';
import { openGate } from './gate';
import { quietWindow } from './quiet-window';
import { framedRoom } from './room';
import { tellChanges } from './tell';

/**
 * Puts one mode into an element of the document, for a frame in another page. Nothing is read from what this browser keeps and
 * nothing is kept: two embeds of one page, or one beside the page itself, know nothing of each other.
 */
export async function startEmbed(root: HTMLElement): Promise<void> {
  const { location } = window;
  const asked = askedBy(location.search, location.origin);
  startTheme(asked.theme ?? 'auto');
  forgetReplaced();
  rooms.of = framedRoom;
  const opened = await readLink(location.hash);
  const look = asked.mode ? { ...opened.look, mode: asked.mode } : opened.look;
  const complaints = [...asked.complaints, ...opened.complaints];
  const page = createPage(quietWindow(window), { ...opened, look, complaints });
  render(<Embed page={page} />, root);
  // Where the site's service worker answers for its own pages, files of this build stay as long as it is shown.
  if (navigator.serviceWorker?.controller) {
    import('../app/offline/keep-offline').then(({ hold }) => hold()).catch(() => undefined);
  }
  const drive = createDriver(page);
  const known = { link: '' };
  const gate = openGate(window, asked.origins, async (request) => {
    const answer = await drive(request);
    if (answer.ok) known.link = answer.state.link;
    return answer;
  });
  tellChanges(page, gate, known);
}
