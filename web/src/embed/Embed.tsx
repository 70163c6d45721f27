import { useMemo } from 'preact/hooks';
import type { Page } from '../app/page/page';
import { second, useSecond } from '../app/second/second';
import { CurrentViewProvider, useLoadedView } from '../app/stage/current-view';
import { createViewEvents, Mode, StageActivity, StageNotices } from '../app/stage/Stage';
import { Toast, useToast } from '../app/Toast';
import { LoadingNotice } from '../ui/notices';
import { sayVerdict } from './say-verdict';
import { useKeys } from './use-keys';
import './embed.css';

/** One view with its options, panels and player. No header, no tabs, no side panels. */
export function Embed({ page }: { readonly page: Page }) {
  const { look, address } = page;
  const [toast, say] = useToast();
  const events = useMemo(
    () => ({
      ...createViewEvents(page, { onGuess: sayVerdict(page, say) }),
      // The host chooses the mode.
      onLink: (link: string) => void address.open(`${link}&mode=${look.mode.peek()}`, 'example'),
    }),
    [page, say, look, address],
  );
  const staged = useLoadedView(page, events);
  useSecond(page.scene.value !== null);
  useKeys(page);
  return (
    <CurrentViewProvider value={staged}>
      <main class="stage embed" id="stage" tabIndex={-1}>
        <StageNotices page={page} />
        <LoadingNotice what="A part of the page" of={[second]} />
        <Mode key={staged.entry.id} page={page} bare />
        <StageActivity page={page} />
      </main>
      <Toast message={toast} />
    </CurrentViewProvider>
  );
}
