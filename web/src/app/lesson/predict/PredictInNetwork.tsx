import { cellName, swappedName } from '../../../geometry/labels';
import { isTransposed } from '../../../layers/list';
import { ownerOf } from '../../../protocol/layers';
import type { LayerContent } from '../../../protocol/messages';
import type { Hidden, NetworkTensor } from '../../../protocol/problem';
import { Button } from '../../../ui/controls/Button';
import type { Page } from '../../page/page';
import { Prediction, PredictionResult, RevealButton } from './Predict';
import { ALL_HINTS, type AskedCell, isHiddenCell, judgedAs, predictorOf } from './predictor';

interface PredictInNetworkProps {
  readonly page: Page;
  /** "dy1.3" */
  readonly asks: string;
  readonly layers: readonly LayerContent[];
  /** The last of two hints. */
  readonly formula: string | undefined;
  readonly offersReveal?: boolean;
  /** Names of the mistakes that the question is about. */
  readonly about?: readonly string[];
}

/** Asks for a hidden cell of a network. */
export function PredictInNetwork(props: PredictInNetworkProps) {
  const { page, asks, layers, formula, offersReveal = true, about = [] } = props;
  const predictor = predictorOf(page);
  const [tensor = '', digits] = asks.split('.');
  const owner = ownerOf(tensor, layers.length);
  const { geometry, kind = '' } = layers[owner?.layer ?? 0] ?? {};
  if (!owner || !geometry) return null;
  const cell: AskedCell = { tensor: tensor as NetworkTensor, index: Number(digits) };
  // "dx[0,1]" of the layer is "dy1[0,1]" of the network.
  const own = isTransposed(kind) ? swappedName(owner.tensor) : owner.tensor;
  const name = cellName(geometry, { tensor: own, index: cell.index }).replace(own, tensor);
  const { hiddenCells } = page.look;
  // A tensor that is hidden as a whole is revealed as a whole.
  const isOther = (one: Hidden) => one.tensor !== tensor || (one.index !== null && one.index !== cell.index);
  const asked = { pass: judgedAs(owner.tensor), layer: owner.layer };
  const check = (text: string) => predictor.judge(cell, text, asked, () => hiddenCells.peek().filter(isOther));
  const { hints } = predictor.attempt(cell);
  const unknown = `Check the numbers that you used${formula ? ', or take a hint' : ''}.`;
  const result = { page, cell, name, unknown, about };
  if (!isHiddenCell(hiddenCells.value, cell)) return <PredictionResult {...result} />;
  return (
    <Prediction {...result} onCheck={check}>
      {formula && (
        <>
          {hints > 0 && <p class="predict__note note">The cells that it is computed from are outlined.</p>}
          {hints === ALL_HINTS && <p class="predict__note note">{formula}</p>}
          <div class="predict__bar row wrap">
            {hints < ALL_HINTS && <Button onClick={() => predictor.hint(cell, hints + 1)}>{HINTS[hints]}</Button>}
            {offersReveal && (
              <RevealButton
                page={page}
                name={name}
                onClick={() => predictor.uncover(cell, hiddenCells.peek().filter(isOther))}
              />
            )}
          </div>
        </>
      )}
    </Prediction>
  );
}

const HINTS = ['Hint: the cells', 'Hint: the formula'];
