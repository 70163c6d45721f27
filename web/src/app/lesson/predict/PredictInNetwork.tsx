import { cellName } from '../../../geometry/labels';
import type { Hidden, NetworkTensor } from '../../../protocol/cell';
import { type LayerResult, ownerOf } from '../../../protocol/network';
import type { Page } from '../../page/page';
import { PredictionField, PredictionResult } from './Predict';
import { type AskedCell, isMasked, judgedAs, predictorOf } from './predictor';

interface PredictInNetworkProps {
  readonly page: Page;
  /** "dy1.3" */
  readonly asks: string;
  readonly layers: readonly LayerResult[];
}

/** Asks for a hidden cell of a network. */
export function PredictInNetwork({ page, asks, layers }: PredictInNetworkProps) {
  const [tensor = '', digits] = asks.split('.');
  const owner = ownerOf(tensor, layers.length);
  const geometry = layers[owner?.layer ?? 0]?.geometry;
  if (!owner || !geometry) return null;
  const cell: AskedCell = { tensor: tensor as NetworkTensor, index: Number(digits) };
  // "dx[0,1]" of the layer is "dy1[0,1]" of the network.
  const name = cellName(geometry, { tensor: owner.tensor, index: cell.index }).replace(owner.tensor, tensor);
  const { masked } = page.look;
  // A tensor that is hidden as a whole is revealed as a whole.
  const isOther = (one: Hidden) => one.tensor !== tensor || (one.index !== null && one.index !== cell.index);
  const asked = { pass: judgedAs(owner.tensor), layer: owner.layer };
  const check = (text: string) => predictorOf(page).judge(cell, text, asked, () => masked.peek().filter(isOther));
  return (
    <section class="predict" aria-label={`Predict ${name}`}>
      {isMasked(masked.value, cell) && (
        <PredictionField key={name} page={page} cell={cell} name={name} onCheck={check} />
      )}
      <PredictionResult page={page} cell={cell} name={name} unknown="Check the numbers that you used." />
    </section>
  );
}
