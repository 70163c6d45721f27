import '../../link/network-fields';
import { layerTitle } from '../../layers/list';
import { HIDDEN_VALUES, refused } from '../../state/edits';
import { withFields, withInputCell, withLayer, withoutLayer, withWeights } from '../../state/layer-edits';
import type { EditResult } from '../../state/problem';
import type { NetworkAct } from '../../views/shared/scene';
import type { Page } from '../page/page';
import './network.css';

interface BarProps {
  readonly page: Page;
  /** Why a change of the layers was refused. */
  readonly refused: string | false;
}

/** "Network › Layer 2: conv 3 × 3", with a link to the view of all layers; and why a change of the layers was refused. */
export function Bar({ page: { store, look }, refused: why }: BarProps) {
  const { layers, open } = store.problem.value;
  const layer = layers[open];
  const isElsewhere =
    layers.length > 1 && look.mode.value !== 'network' && !look.hiddenParts.value.includes('mode.network');
  return (
    <>
      {isElsewhere && layer && (
        <nav class="breadcrumb row tight small" aria-label="Network">
          <button type="button" class="breadcrumb__link" onClick={() => look.openMode('network')}>
            Network
          </button>
          <span aria-hidden="true">›</span>
          <span>
            Layer {open + 1}: {layerTitle(layer)}
          </span>
        </nav>
      )}
      {why && (
        <p class="breadcrumb__refusal small" role="alert">
          Not changed: {why}.
        </p>
      )}
    </>
  );
}

/** One act on the network of the page. `field`: of a draft, if it is refused. */
export function change({ store, look }: Page, act: NetworkAct, field: string): void {
  const problem = store.problem.peek();
  if (act.kind === 'open') {
    look.unpin();
    store.showLayer(act.layer);
    return;
  }
  const accept = (edited: EditResult) => store.accept(edited, { field, text: '' }, 'sizes');
  if (act.kind === 'remove') accept(withoutLayer(problem, act.layer));
  else if (act.kind === 'add' && look.hiddenCells.peek().length > 0) accept(refused('', HIDDEN_VALUES));
  else if (act.kind === 'add') accept(withLayer(problem, act.layer, act.at));
  else if (act.kind === 'fields') accept(withFields(problem, act.layer, act.fields));
  else if (act.kind === 'cell') accept(withInputCell(problem, act.index, act.value));
  else if (act.kind === 'weights') accept(withWeights(problem, act.layers));
}
