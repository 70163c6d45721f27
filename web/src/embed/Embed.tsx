import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { createEvents } from '../app/Columns';
import type { Page } from '../app/page';
import { useSecond } from '../app/second';
import { CurrentViewProvider, useLoadedView } from '../app/stage/current-view';
import { Mode, StageActivity, StageNotices } from '../app/stage/Stage';
import { Toast, useToast } from '../app/Toast';
import type { Cell } from '../protocol/cell';
import { checkPrediction } from './check-prediction';
import { useKeys } from './use-keys';
import './embed.css';

/** One view with its options, panels and player. No header, no tabs, no side panels. */
export function Embed({ page }: { readonly page: Page }) {
  const { look, address } = page;
  const [toast, say] = useToast();
  const tapped = useSignal<Cell | null>(null);
  const events = useMemo(() => {
    const all = createEvents(page, tapped);
    return {
      ...all,
      onEdit: checkPrediction(page, all.onEdit, say),
      // The host chooses the mode.
      onLink: (link: string) => void address.open(`${link}&mode=${look.mode.peek()}`, 'example'),
    };
  }, [page, tapped, say, look, address]);
  const staged = useLoadedView(page, events);
  useSecond(page.scene.value !== null);
  useKeys(page);
  return (
    <CurrentViewProvider value={staged}>
      <main class="stage embed" id="stage" tabIndex={-1}>
        <StageNotices page={page} />
        <Mode key={staged.entry.id} page={page} bare />
        <StageActivity page={page} />
      </main>
      <Toast message={toast} />
    </CurrentViewProvider>
  );
}
