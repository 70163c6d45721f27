import { effect } from '@preact/signals';
import { render } from 'preact';
import { createPage } from '../app/page/page';
import { second } from '../app/second/second';
import { rooms } from '../app/stage/current-view';
import { parseLink } from '../link/parse-link';
import { readLink } from '../link/read-link';
import { forgetReplaced } from '../ui/forget-replaced';
import { startTheme } from '../ui/theme';
import type { Room } from '../views/kit/fit';
import { createDriver, reportChanges, withPrivateAddress } from './driver';
import { Embed } from './Embed';
import { embedParametersOf } from './parameters';
import { fieldsOf, openHostChannel } from './protocol';

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

/** Frames up to this width stack their panels. embed.css has the same number. */
const SMALL = '(max-width: 590px)';
/** Height in px of the margin and of a panel's header, border and legend: a small frame shows one whole tensor. */
const AROUND_CELLS = 80;

/** Space for the panels. A small frame scrolls, so its content does not bound the height. */
function framedRoom({ clientWidth: width, offsetHeight }: HTMLElement): Room {
  return { width, height: matchMedia(SMALL).matches ? innerHeight - AROUND_CELLS : offsetHeight };
}
