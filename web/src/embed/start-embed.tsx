import { effect } from '@preact/signals';
import { render } from 'preact';
import { createPage } from '../app/page/page';
import { second } from '../app/second/second';
import { rooms } from '../app/stage/room';
import { parseLink } from '../link/parse-link';
import { readLink } from '../link/read-link';
import { forgetReplaced } from '../ui/forget-replaced';
import { startTheme } from '../ui/theme';
import { createDriver } from './driver';
import { Embed } from './Embed';
import { openHostChannel } from './host-channel';
import { embedParametersOf } from './parameters';
import { withPrivateAddress } from './private-address';
import { fieldsOf } from './protocol';
import { reportChanges } from './report-changes';
import { framedRoom } from './room';

/**
 * Renders one view into an element, for a frame in another page. Reads and writes no storage: two embeds on one page,
 * or an embed and the page itself, are independent.
 */
export async function startEmbed(root: HTMLElement): Promise<void> {
  const { location } = window;
  const asked = embedParametersOf(location.search, location.origin);
  startTheme(asked.theme ?? 'auto');
  forgetReplaced();
  rooms.of = framedRoom;
  const opened = await readLink(location.hash);
  const state = asked.mode ? `${location.hash.slice(1)}&mode=${asked.mode}` : location.hash.slice(1);
  const { mode, settings } = asked.mode ? parseLink(state).look : opened.look;
  const look = { ...opened.look, mode, settings };
  const complaints = [...asked.complaints, ...opened.complaints];
  const page = createPage(withPrivateAddress(window), { ...opened, look, complaints });
  render(<Embed page={page} />, root);
  // With the site's service worker: the files of this build stay cached while the embed is open.
  if (navigator.serviceWorker?.controller) {
    const stop = effect(() => {
      if (second.loaded.value) queueMicrotask(() => stop());
      second.loaded.value?.lockBuild();
    });
  }
  const drive = createDriver(page, fieldsOf(state));
  const known = { link: '' };
  const gate = openHostChannel(window, asked.origins, async (request) => {
    const answer = await drive(request);
    if (answer.ok) known.link = answer.state.link;
    return answer;
  });
  reportChanges(page, gate, known);
}
