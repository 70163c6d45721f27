import { isTransposed } from '../../layers/list';
import { formatCell } from '../../ui/numbers';
import { counted } from '../../ui/quantities';
import type { Cone } from './cone';
import { type Net, netCellLabel, type Place, type Side, sideName, tensorOf } from './net';
import type { NetStep } from './steps';

const DIGITS = { digits: 3, chars: 9 } as const;

/** "y4[0,1] = −38 reads 9 cells of y3, and so 64 of x": the pointed cell, with the sizes of its cone; `cone` null: alone. */
export function coneSentence(net: Net, place: Place, cone: Cone | null): string {
  const tensor = tensorOf(net, place);
  if (!tensor) return '';
  const { at, side, index } = place;
  const head = `${netCellLabel(tensor, side, index)} = ${formatCell(tensor[side].data[index] ?? Number.NaN, DIGITS)}`;
  if (place.of) return head + partWords(net, place);
  if (!cone) return head;
  const end = net.layers.length;
  const isFirst = at === 0;
  const verb = side === 'value' ? (isFirst ? 'is read by' : 'reads') : isFirst ? 'is computed from' : 'reaches';
  const [next, last] = isFirst ? [1, end] : [at - 1, 0];
  const count = (i: number) => cone[side][i]?.cells.length ?? 0;
  const name = (i: number) => sideName(net.tensors[i] ?? tensor, side);
  if (count(next) === 0) return `${head} ${verb} no cell of ${name(next)}`;
  const rest = next === last ? '' : `, and so ${count(last)} of ${name(last)}`;
  return `${head} ${verb} ${counted(count(next), 'cell')} of ${name(next)}${rest}`;
}

/** " sums x · dy1 over all windows": a cell of weights, a bias or their gradients. */
export function partWords({ layers, tensors }: Net, { at, of, side }: Place): string {
  const [x, y] = [tensors[at]?.name, tensors[at + 1]?.name];
  if (side === 'value')
    return of === 'w' && isTransposed(layers[at]?.kind ?? '')
      ? ` multiplies each cell of ${x}, for one cell of its window of ${y}`
      : of === 'w'
        ? ` multiplies one cell of each window of ${x}`
        : ` is added to each cell of ${y}`;
  return of === 'w' ? ` sums ${x} · d${y} over all windows` : ` sums d${y}`;
}

/** "All ReLUs of layer 2 are closed: y4 no longer depends on x, w1." null: some gate is open. */
export function deadSentence({ layers, tensors }: Net): string | null {
  const layer = layers.findIndex(({ kind }, i) => kind === 'relu' && tensors[i + 1]?.value.stats.max_abs === 0);
  if (layer < 0) return null;
  const weights = layers.slice(0, layer).flatMap(({ parts }) => parts.w?.name ?? []);
  return `All ReLUs of layer ${layer + 1} are closed: ${tensors.at(-1)?.name} no longer depends on ${['x', ...weights].join(', ')}.`;
}

/** "Step 2 of 9, forward through layer 2 (ReLU): 36 cells of y2 come from 36 of y1." */
export function netStepSentence(net: Net, step: NetStep | null, cone: Cone | null): string {
  if (!step) return 'Press Play: forward, the cone closes on one cell. Backward, it opens again.';
  const { t, total } = step;
  const end = net.layers.length;
  const [side, from, to]: readonly [Side, number, number] =
    t <= end ? ['value', t - 1, t] : ['gradient', total - t + 1, total - t];
  const [source, made] = [net.tensors[from], net.tensors[to]];
  const layer = net.layers[Math.min(from, to)];
  if (!made) return '';
  const name = sideName(made, side);
  const head = `Step ${t} of ${total}`;
  if (!layer || !source) return `${head}: ${name} ${net.loss === null ? 'is given' : 'is the gradient of the loss'}.`;
  const [all, read] = [cone?.[side][to]?.cells.length ?? 0, cone?.[side][from]?.cells.length ?? 0];
  const pass = side === 'value' ? 'forward' : 'backward';
  const cells =
    all === 0
      ? `no gradient reaches ${name}`
      : `${counted(all, 'cell')} of ${name} from ${read} of ${sideName(source, side)}`;
  return `${head}, ${pass} through layer ${layer.number} (${layer.title}): ${cells}.`;
}
