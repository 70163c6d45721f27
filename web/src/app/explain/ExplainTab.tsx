import { perform } from '../../commands/list';
import type { Content } from '../../protocol/messages';
import { explainHighlightsOf, ViewModelProvider } from '../../views/kit/view-model';
import type { SideTabProps } from '../page/page';
import { useCurrentView } from '../stage/current-view';
import { ExplainCell, type ExplainCellProps } from './ExplainCell';
import { ViewFormulas } from './ViewFormulas';

const HOVER_HINT = 'Hover a number to see how it was computed and what uses it. Click or tap to pin it, Esc to unpin.';

/** Explains the current cell; without one, the view. */
export function ExplainTab({ page, context, events, predicted }: SideTabProps & Pick<ExplainCellProps, 'predicted'>) {
  const { scene, look } = page;
  const { entry, show } = useCurrentView();
  const content = scene.value;
  if (!content) return null;
  const shown = show?.model.content.value ?? null;
  // Learn shows cells of its own training run; explanations are for the problem of the page.
  const highlights = entry.id === 'learn' ? null : explainHighlightsOf(content.geometry, show?.model ?? null, look);
  if (!highlights) {
    return (
      <aside class="explain explain--empty" aria-label="Explain">
        <h2 class="visually-hidden">Explain</h2>
        <AboutMode content={shown ?? content} />
        <p class="about__sentence">{HOVER_HINT}</p>
      </aside>
    );
  }
  return (
    <ExplainCell
      page={page}
      predicted={predicted}
      content={content}
      highlights={highlights}
      shownRevision={shown?.revision ?? null}
      onTerm={(regions) => {
        look.term.value = regions;
      }}
      onGo={look.pinAndShow}
      onRelease={() => perform('release', context)}
      onEdit={events.onEdit}
    />
  );
}

function AboutMode({ content }: { readonly content: Content }) {
  const { entry, show, loader } = useCurrentView();
  const view = loader();
  return (
    <div class="about">
      <h3 class="about__title">{entry.title}</h3>
      <p class="about__sentence">{view?.sentence}</p>
      {view && <ViewFormulas view={view} content={content} />}
      {show?.view.About && (
        <ViewModelProvider value={show.model}>
          <show.view.About {...show.props} />
        </ViewModelProvider>
      )}
    </div>
  );
}
