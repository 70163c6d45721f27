import { useMemo } from 'preact/hooks';
import { Columns } from './Columns';
import { createCommandContext } from './command-context';
import { deferred } from './deferred/deferred';
import { createExamples } from './examples/examples';
import { Masthead } from './Masthead';
import type { Page } from './page/page';
import { Toast, useToast } from './Toast';
import { useSheet } from './use-sheet';
import { useShortcuts } from './use-shortcuts';
import './shell.css';

/** The page: header, columns, dialogs. It reads no signal: each part reads those that it draws. */
export function App({ page }: { readonly page: Page }) {
  const { store, address } = page;
  const [toast, say] = useToast();
  const FileDrop = deferred.loaded.value?.FileDrop;
  const { sheet, show } = useSheet(say);
  const examples = useMemo(() => createExamples(store, address), [store, address]);
  const context = useMemo(() => createCommandContext(page, say, show), [page, say, show]);
  useShortcuts(context);
  return (
    <div class="app column">
      <SkipLink />
      <Masthead page={page} context={context} examples={examples} />
      <Columns page={page} context={context} examples={examples} />
      {FileDrop && <FileDrop page={page} />}
      <Toast message={toast} />
      {sheet && (
        <sheet.Sheet key={sheet.id} page={page} context={context} examples={examples} onClose={sheet.onClose} />
      )}
    </div>
  );
}

/** First stop of Tab: skips header and controls. Does not navigate, because the hash of the URL holds the problem. */
const SkipLink = () => (
  // biome-ignore lint/a11y/useValidAnchor: a jump within the page, and screen reader users expect a link
  <a
    class="skip"
    href="#stage"
    onClick={(event) => {
      event.preventDefault();
      document.getElementById('stage')?.focus();
    }}
  >
    Skip to content
  </a>
);
