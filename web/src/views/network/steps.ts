import { indexAt } from '../../geometry/grid';
import type { Area } from '../../ui/grid/marks';
import { areasAfter, chosenSteps } from '../shared/plane';
import { windowText } from '../shared/walk/StepPlayer';
import { explained } from './explained';
import {
  LAYER_PARTS,
  type Net,
  type NetTensor,
  type NetTensorId,
  netPlane,
  type Place,
  placePosition,
  type Side,
  tensorOf,
} from './net';

/**
 * The steps of the player: forward through all layers, then dy at the end, then backward. A step is one position of a tensor, in the
 * shown image, with all its channels.
 */

/** The cells of one tensor, which is filled row by row; dy at the end is one step. */
interface Phase extends NetTensorId {
  readonly side: Side;
  readonly steps: number;
}

function phasesOf({ tensors, layers }: Net): readonly Phase[] {
  const end = tensors.length - 1;
  const sizeOf = ({ grid: { size } }: NetTensor) => size.row * size.col;
  const values = tensors.map((tensor, at): Phase => ({ at, side: 'value', steps: sizeOf(tensor) }));
  const gradients = values.map(({ at, steps }): readonly Phase[] => {
    const parts = LAYER_PARTS.flatMap((of): readonly Phase[] => {
      const part = layers[at]?.parts[of];
      return part ? [{ at, of, side: 'gradient', steps: sizeOf(part) }] : [];
    });
    return [...parts, { at, side: 'gradient', steps: at === end ? 1 : steps }];
  });
  return [...values.slice(1), ...gradients.toReversed().flat()];
}

export const netStepCount = (net: Net): number => phasesOf(net).reduce((sum, { steps }) => sum + steps, 0);

/** The state after some steps; of the last one the cell that it computed, in the shown channel. */
export interface NetStep {
  readonly t: number;
  readonly total: number;
  readonly place: Place;
  /** Number of columns of the tensor. */
  readonly row: number;
}

/** null: no step is chosen, and all cells are shown. `t` can come from a link. */
export function stepOf(net: Net, t: unknown, slice: number, channels: readonly number[]): NetStep | null {
  const total = netStepCount(net);
  const steps = chosenSteps(t, total, 0);
  if (!(steps > 0)) return null;
  let done = steps;
  for (const { at, of, side, steps: own } of phasesOf(net)) {
    const grid = tensorOf(net, { at, of })?.grid;
    if (done > own || !grid) {
      done -= own;
      continue;
    }
    const cols = grid.size.col;
    const [row, col] = [Math.floor((done - 1) / cols), (done - 1) % cols];
    const index = indexAt(grid, { row, col, ...netPlane(net, { at, of }, slice, channels) });
    return { t: steps, total, row: cols, place: { at, of, side, index } };
  }
  return null;
}

/** The cells of a tensor that the steps have not computed yet, in rows and columns. */
export function pendingIn(
  net: Net,
  step: NetStep | null,
  { at, of, side }: Pick<Place, 'at' | 'of' | 'side'>,
): readonly Area[] {
  const grid = tensorOf(net, { at, of })?.grid;
  if (!step || !grid || (side === 'value' && (at === 0 || of))) return [];
  let left = step.t;
  for (const phase of phasesOf(net)) {
    if (phase.at === at && phase.of === of && phase.side === side) break;
    left -= phase.steps;
  }
  const { row: rows, col: cols } = grid.size;
  const isEnd = !of && side === 'gradient' && at === net.tensors.length - 1;
  return areasAfter(isEnd && left > 0 ? rows * cols : left, rows, cols);
}

/** "Step 5 of 604, layer 1 forward: y1[0,4] = 12. It reads rows 0 to 2, columns 4 to 6 of x." */
export function netStepSentence(net: Net, step: NetStep | null): string {
  if (!step) return 'Press Play to run the network forward, then backward, cell by cell.';
  const { t, total, place } = step;
  const { at, of, side } = place;
  const layer = net.layers[side === 'value' && !of ? at - 1 : at];
  const [head, ...lines] = explained(net, place);
  const pass = layer ? `, layer ${layer.number} ${side === 'value' ? 'forward' : 'backward'}` : '';
  const from = net.tensors[at - 1];
  const position = placePosition(net, place);
  const [line = ''] = lines;
  const window =
    layer?.tensors.w && side === 'value' && from && position
      ? `It reads ${windowText(layer.geometry, position.row, position.col)} of ${from.name}.`
      : line.replace(/([^.:])$/, '$1.');
  return `Step ${t} of ${total}${pass}: ${head}${window.startsWith('=') ? ' ' : '. '}${window}`;
}
