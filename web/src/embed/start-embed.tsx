import { effect } from '@preact/signals';
import { render } from 'preact';
import { useMemo } from 'preact/hooks';
import { createCommandContext } from '../app/command-context';
import { deferred, useDeferred } from '../app/deferred/deferred';
import { createPage, type Page } from '../app/page/page';
import { CurrentViewProvider, rooms, useLoadedView } from '../app/stage/current-view';
import { createViewEvents, Mode, StageActivity, StageNotices } from '../app/stage/Stage';
import { Toast, useToast } from '../app/Toast';
import { useShortcuts } from '../app/use-shortcuts';
import { readLink } from '../link/read-link';
import type { AddressedCell } from '../protocol/problem';
import { forgetReplaced } from '../ui/forget-replaced';
import { LoadingNotice } from '../ui/notices';
import { MINUS } from '../ui/numbers';
import { startTheme } from '../ui/theme';
import { accessibleName } from '../views/shared/cell-events';
import type { Room } from '../views/shared/fit';
import { createDriver, reportChanges, withPrivateAddress } from './driver';
import { embedParametersOf } from './parameters';
import { openHostChannel } from './protocol';
import './embed.css';

/** Renders one view, for a frame in another page. Uses no storage: embeds and the page itself are independent. */
export async function startEmbed(root: HTMLElement): Promise<void> {
  const { location } = window;
  const asked = embedParametersOf(location.search, location.origin);
  startTheme(asked.theme ?? 'auto');
  forgetReplaced();
  rooms.of = framedRoom;
  const opened = await readLink(location.hash);
  const look = { ...opened.look, mode: asked.mode ?? opened.look.mode };
  const complaints = [...asked.complaints, ...opened.complaints];
  const page = createPage(withPrivateAddress(window), { ...opened, look, complaints });
  render(<Embed page={page} />, root);
  // With the site's service worker: the files of this build stay cached while the embed is open.
  if (navigator.serviceWorker?.controller) {
    const stop = effect(() => {
      if (deferred.loaded.value) queueMicrotask(() => stop());
      deferred.loaded.value?.lockBuild();
    });
  }
  const drive = createDriver(page);
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

/** One view with its options, panels and player. No header, no tabs, no side panels. */
function Embed({ page }: { readonly page: Page }) {
  const { look, address } = page;
  const [toast, say] = useToast();
  const events = useMemo(
    () => ({
      ...createViewEvents(page, sayVerdict(page, say)),
      // The host chooses the mode.
      onLink: (link: string) => void address.open(`${link}&mode=${look.mode.peek()}`, 'example'),
    }),
    [page, say, look, address],
  );
  const staged = useLoadedView(page, events);
  useDeferred(page.currentContent.value !== null);
  const context = useMemo(() => createCommandContext(page, nothing, nothing), [page]);
  useShortcuts(context, AVAILABLE);
  return (
    <CurrentViewProvider value={staged}>
      <main class="stage embed column tight" id="stage" tabIndex={-1}>
        <StageNotices page={page} />
        <LoadingNotice of={deferred} />
        <Mode key={staged.entry.id} page={page} />
        <StageActivity page={page} />
      </main>
      <Toast message={toast} />
    </CurrentViewProvider>
  );
}

const nothing = () => undefined;

/** The shortcuts of an embed, while the frame has the focus. */
const AVAILABLE: ReadonlySet<string> = new Set(['undo', 'redo', 'release']);

/** Says whether a value that was typed into a hidden cell is right. An embed has no panel for the verdict: a toast shows it. */
const sayVerdict =
  (page: Page, say: (words: string) => void) =>
  ({ tensor, index, geometry }: AddressedCell, written: string): void => {
    deferred.use(({ predictorOf }) => {
      const predictor = predictorOf(page);
      const stop = effect(() => {
        const { verdict, written: asked } = predictor.attempt({ tensor, index });
        if (!verdict || asked !== written) return;
        queueMicrotask(() => stop());
        const [name, shown] = [accessibleName(geometry, { tensor, index }), written.replace('-', MINUS)];
        say(
          verdict.verdict === 'right'
            ? `${shown} is right.`
            : verdict.verdict === 'failed'
              ? `${shown} could not be checked: ${verdict.message}.`
              : `${name} is not ${shown}.`,
        );
      });
    }, say);
  };
