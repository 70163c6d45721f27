import { generalFormula } from '../../geometry/formula';
import type { ViewState } from '../../look/look';
import type { Content } from '../../protocol/messages';
import { Formula } from '../../ui/Formula';
import { lazy } from '../../ui/lazy';
import type { View } from '../../views/kit/view';
import { explainHighlightsOf, ViewModelProvider } from '../../views/kit/view-model';
import type { SideTabProps } from '../page/page';
import { CopyLatex } from '../page/use-copy';
import { useCurrentView } from '../stage/current-view';
import { ExplainCell, type ExplainCellProps } from './ExplainCell';

const layerSum = lazy('This sum', async () => (await import('./LayerSum')).LayerSum);

/** Explains the current cell; without one, the view. */
export function ExplainTab(props: SideTabProps & Pick<ExplainCellProps, 'predicted'>) {
  const { scene, look } = props.page;
  const { entry, show, loader } = useCurrentView();
  const content = scene.value;
  if (!content) return null;
  const shown = show?.model.content.value ?? null;
  // Learn and Network explain their own cells; other explanations are for the problem of the page.
  const isOwn = entry.id === 'learn' || entry.id === 'network';
  const Sum = entry.id === 'network' && layerSum();
  const highlights = isOwn ? null : explainHighlightsOf(content.geometry, show?.model ?? null, look);
  if (!highlights) {
    const view = loader();
    return (
      <aside class="explain explain--empty" aria-label="Explain">
        <h2 class="visually-hidden">Explain</h2>
        <div class="about grid">
          <h3 class="about__title">{entry.title}</h3>
          <p class="soft">{view?.sentence}</p>
          {view && <ViewFormulas view={view} content={shown ?? content} state={show?.props.state ?? {}} />}
          {show?.view.About && (
            <ViewModelProvider value={show.model}>
              <show.view.About
                {...show.props}
                renderSum={(sum) => Sum && <Sum {...sum} page={props.page} content={show.model.content.value} />}
              />
            </ViewModelProvider>
          )}
        </div>
        {entry.id !== 'network' && (
          <p class="soft">
            {isOwn
              ? 'Point at a number to see its exact value after the step.'
              : 'Hover a number to see how it was computed and what uses it. Click or tap to pin it, Esc to unpin.'}
          </p>
        )}
      </aside>
    );
  }
  return <ExplainCell {...props} content={content} highlights={highlights} shownRevision={shown?.revision ?? null} />;
}

interface ViewFormulasProps {
  readonly view: View;
  readonly content: Content;
  readonly state: ViewState;
}

/** The formulas of a view, with the stride, dilation and padding of this geometry. */
function ViewFormulas({ view, content, state }: ViewFormulasProps) {
  const { geometry: g, tensors } = content;
  const sums = (view.sums ?? []).map((tensor) => generalFormula(g, tensor, tensors.b !== undefined));
  const shown = [...sums, ...(view.formulas?.(content, state) ?? [])].filter((text) => text !== null);
  const strided = g.stride_h > 1 || g.stride_w > 1;
  return (
    <>
      {shown.map((text) => (
        <Formula key={text} text={text} />
      ))}
      {shown.length > 0 && (
        <CopyLatex
          what={shown.length > 1 ? 'these formulas' : 'this formula'}
          latex={({ alignedLatex, formulaLatex }) => alignedLatex(shown.map(formulaLatex))}
        />
      )}
      {strided && view.sums?.includes('dx') && (
        <p class="soft">In dx, only terms with whole-number rows and columns of dy count.</p>
      )}
      {g.groups > 1 && shown.length > 0 && sums.length > 0 && <p class="soft">c and k are in the same group.</p>}
    </>
  );
}
