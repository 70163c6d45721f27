import { effect } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { createCommandContext } from '../app/command-context';
import type { Page } from '../app/page/page';
import { second, useSecond } from '../app/second/second';
import { CurrentViewProvider, useLoadedView } from '../app/stage/current-view';
import { createViewEvents, Mode, StageActivity, StageNotices } from '../app/stage/Stage';
import { Toast, useToast } from '../app/Toast';
import { commandOf } from '../commands/list';
import type { AddressedCell } from '../protocol/problem';
import { LoadingNotice } from '../ui/notices';
import { MINUS } from '../ui/numbers';
import { accessibleName } from '../views/kit/cell-names';
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

/** The commands that an embed has. */
const AVAILABLE: ReadonlySet<string> = new Set(['undo', 'redo', 'release']);

const nothing = () => undefined;

/** Shortcuts, while the frame has the focus. */
function useKeys(page: Page): void {
  useEffect(() => {
    const context = createCommandContext(page, nothing, nothing);
    const onKeyDown = (event: KeyboardEvent) => {
      const command = commandOf(event, context);
      if (!command || !AVAILABLE.has(command.id)) return;
      // Esc keeps its default action in the browser.
      if (event.key !== 'Escape') event.preventDefault();
      command.run(context);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [page]);
}

/** Says whether a value that was typed into a hidden cell is right. An embed has no panel for the verdict: a toast shows it. */
const sayVerdict =
  (page: Page, say: (words: string) => void) =>
  ({ tensor, index, geometry }: AddressedCell, written: string): void => {
    const predictor = second.loaded.peek()?.predictorOf(page);
    if (!predictor) {
      second.retry();
      say('The check failed to load. Try again.');
      return;
    }
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
  };
