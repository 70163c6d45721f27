import '../../link/network-fields';
import { isWeighted, layerTitle, outputOf, windowOf } from '../../layers/list';
import { shapeOfSizes } from '../../protocol/layers';
import type { Shape } from '../../protocol/problem';
import { bShape, wShape } from '../../protocol/shapes';
import type { InputTensor } from '../../sources/inputs';
import { HIDDEN_VALUES, refused } from '../../state/edits';
import { withCell, withDense, withFields, withLayer, withoutLayer, withWeights } from '../../state/layer-edits';
import type { EditResult, Problem } from '../../state/problem';
import { Button } from '../../ui/controls/Button';
import { flyLayer } from '../../views/shared/glide';
import type { NetworkAct } from '../../views/shared/scene';
import type { Page } from '../page/page';
import './network.css';

interface BarProps {
  readonly page: Page;
  /** Why a change of the layers was refused. */
  readonly refused: string | false;
}

/** "‹ Network", the way back from a layer to all of them, and "Layer 2: conv 3 × 3"; or why a change of the layers was refused. */
export function Bar({ page: { store, look }, refused: why }: BarProps) {
  const { layers } = store.problem.value;
  const layer = store.layer.value;
  const isElsewhere =
    layers.length > 1 && look.mode.value !== 'network' && !look.hiddenParts.value.includes('mode.network');
  return (
    <>
      {isElsewhere && (
        <nav class="breadcrumb row" aria-label="Network">
          <Button
            onClick={() =>
              flyLayer(
                layer.index,
                () => look.openMode('network'),
                `[data-flip="${layer.index + 1} 0"] .dy-menu__button`,
              )
            }
          >
            ‹ Network
          </Button>
          <span class="soft">
            Layer {layer.index + 1}: {layerTitle(layer)}
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

/** The problem of a view, as values that the user brought. */
function loaded({ input, x, layers, loss }: Extract<NetworkAct, { kind: 'load' }>): Problem {
  const tensor = (shape: Shape, data: Float32Array): InputTensor => ({
    ...{ shape, data, edited: false },
    source: { kind: 'brought', name: '' },
  });
  const sizes = [input];
  return {
    input,
    x: tensor(shapeOfSizes(input), x),
    layers: layers.map((layer, i) => {
      const before = sizes[i] ?? input;
      sizes.push(outputOf(layer, before));
      if (!isWeighted(layer)) return layer;
      const desc = windowOf(layer, before);
      const b = layer.b && tensor(bShape(layer.fields), layer.b);
      return { ...layer, w: tensor(wShape(desc), layer.w), b, algorithms: {} };
    }),
    loss,
  };
}

/** One act on the network of the page. `field`: of a draft, if it is refused. */
export function change({ store, look }: Page, act: NetworkAct, field: string): void {
  const problem = store.problem.peek();
  if (act.kind === 'open') {
    const open = () => {
      store.dismissDraft();
      look.showLayer(act.layer);
      if (!look.hiddenParts.peek().includes('mode.board')) look.openMode('board');
    };
    flyLayer(act.layer, open, '.breadcrumb .button');
    return;
  }
  if (act.kind === 'point') {
    // Not while values are hidden: it would change them.
    if (look.hiddenCells.peek().length === 0) store.pointDy(act.index);
    return;
  }
  if (act.kind === 'load') {
    store.open(loaded(act), 'everything');
    look.openMode('network');
    return;
  }
  const accept = (edited: EditResult) => store.accept(edited, { field, text: '' }, 'sizes');
  // Hidden cells are named by the numbers of their layers.
  if ((act.kind === 'add' || act.kind === 'remove') && look.hiddenCells.peek().length > 0)
    accept(refused('', HIDDEN_VALUES));
  else if (act.kind === 'remove') accept(withoutLayer(problem, act.layer));
  else if (act.kind === 'add') accept(withLayer(problem, act.layer, act.at));
  else if (act.kind === 'dense') accept(withDense(problem, act.layer));
  else if (act.kind === 'fields') accept(withFields(problem, act.layer, act.fields));
  else if (act.kind === 'cell') accept(withCell(problem, act.layer, act.of, act.index, act.value));
  else if (act.kind === 'weights') accept(withWeights(problem, act.layers));
}
