import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { createEvents } from '../app/Columns';
import type { Page } from '../app/page';
import { Mode, StageActivity, StageNotices } from '../app/stage/Stage';
import { StagedProvider, useStage } from '../app/stage/staged';
import { Toast, useToast } from '../app/Toast';
import type { Cell } from '../protocol/cell';
import { judge } from './judge';
import { useKeys } from './use-keys';
import './embed.css';

/** One mode: its choices, its panels, its player. No bar, no tabs, nothing beside it. */
export function Embed({ page }: { readonly page: Page }) {
  const { look, address } = page;
  const [toast, say] = useToast();
  const tapped = useSignal<Cell | null>(null);
  const events = useMemo(() => {
    const all = createEvents(page, tapped);
    return {
      ...all,
      onEdit: judge(page, all.onEdit, say),
      // The mode is the host's to choose.
      onLink: (link: string) => void address.open(`${link}&mode=${look.mode.peek()}`, 'example'),
    };
  }, [page, tapped, say, look, address]);
  const staged = useStage(page, events);
  useKeys(page);
  return (
    <StagedProvider value={staged}>
      <main class="stage embed" id="stage" tabIndex={-1}>
        <StageNotices page={page} />
        <Mode key={staged.entry.id} page={page} bare />
        <StageActivity page={page} />
      </main>
      <Toast message={toast} />
    </StagedProvider>
  );
}
