import { cellLabel } from '../../geometry/labels';
import { isWeighted } from '../../layers/list';
import type { LayerContent } from '../../protocol/messages';
import type { Cell, Geometry, SizeName, TensorName } from '../../protocol/problem';
import { SIZE_PARTS, sizesOfPart } from '../../protocol/size-table';
import { followsPointer } from '../../sources/loss';
import type { Shown } from '../../state/exchange';
import type { Layer } from '../../state/problem';
import { formatCell, formatExact } from '../../ui/numbers';
import { counted } from '../../ui/quantities';

interface ChangedCell extends Cell {
  readonly from: number;
  readonly to: number;
}

interface Change {
  readonly count: number;
  /** One of them: `telling` if it changed, else the first. */
  readonly cell: ChangedCell;
  readonly layer: LayerContent;
}

/** Name of a changed cell or tensor: "y2[0,1]" in the view of a whole network. */
type Named = (name: string, layer: LayerContent) => string;

/** What the view shows. */
interface Seen {
  /** All layers of a network, not only the open one. */
  readonly isNetwork: boolean;
  /** The cell that the page is about. */
  readonly cell: Cell | null;
}

/**
 * What an edit changed, for a screen reader: "x[1,1] = 5. y: 4 cells changed, y[1,1] from 3 to −4." Empty if nothing has to be said: a
 * single 1 in dy that follows the pointer is heard with its cell. Hidden values are NaN before and after, and stay hidden.
 */
export function changeSentence(before: Shown, now: Shown, { isNetwork, cell }: Seen): string {
  return (
    layersChanged(before, now) ?? sizesChanged(before, now, isNetwork) ?? valuesChanged(before, now, isNetwork, cell)
  );
}

/** Index of the one layer by which `now` has more; −1: the problems differ in another way. */
export function addedLayer({ problem: before }: Shown, { problem: now }: Shown): number {
  if (now.x !== before.x || now.layers.length !== before.layers.length + 1) return -1;
  const of = (layer: Layer | undefined) => (layer && isWeighted(layer) ? layer.w : layer?.kind);
  return now.layers.findIndex((layer, i) => of(layer) !== of(before.layers[i]));
}

const sizeOfY = ({ geometry: g }: Shown): string => `${g.oh} × ${g.ow}`;

function layersChanged(before: Shown, now: Shown): string | null {
  const added = addedLayer(before, now);
  const removed = addedLayer(now, before);
  if (added >= 0) return `Layer ${added + 1}, ${now.layers[added]?.title}, added.`;
  if (removed >= 0) return `Layer ${removed + 1}, ${before.layers[removed]?.title}, removed.`;
  if (before.layers.length !== now.layers.length)
    return `Another problem: ${counted(now.layers.length, 'layer')}, y is ${sizeOfY(now)}.`;
  return before.index === now.index ? null : `Layer ${now.index + 1}, ${now.title}.`;
}

const lengthOf = (g: Geometry, name: SizeName): number => {
  const [part, side] = name.split('.');
  return side ? g.padding[side as keyof Geometry['padding']] : g[part as Exclude<SizeName, `padding.${string}`>];
};

/** Another problem changes more parts. */
const MOST_PARTS = 2;

function sizesChanged(before: Shown, now: Shown, isNetwork: boolean): string | null {
  const other = now.layers.find(({ kind, fields }, i) => kind !== 'conv' && fields !== before.layers[i]?.fields);
  if (isNetwork && other) return `Layer ${other.index + 1}, ${other.title}.`;
  const { geometry: g } = now;
  const parts = SIZE_PARTS.flatMap((part) => {
    const names = sizesOfPart(part).map(({ name }) => name);
    const sizes = names.map((name) => lengthOf(g, name));
    if (names.every((name, i) => lengthOf(before.geometry, name) === sizes[i])) return [];
    return `${part} ${new Set(sizes).size === 1 ? sizes[0] : sizes.join(' × ')}`;
  });
  if (parts.length === 0) return null;
  return `${parts.length > MOST_PARTS ? 'Another problem' : parts.join(', ')}: y is ${sizeOfY(now)}.`;
}

function valuesChanged(before: Shown, now: Shown, isNetwork: boolean, telling: Cell | null): string {
  const pairs = isNetwork ? now.layers.map((layer, i) => [before.layers[i], layer] as const) : [[before, now] as const];
  const named: Named = (name, { index }) =>
    pairs.length > 1 && !name.startsWith('x') ? name.replace(/^[a-z]+/, (letters) => letters + (index + 1)) : name;
  const changed = (...names: readonly TensorName[]) =>
    pairs.flatMap(([old, layer]) => (old ? names.flatMap((name) => changeOf(old, layer, name, telling) ?? []) : []));
  const follows = followsPointer(now.problem.loss);
  const inputs = changed('x', 'w', 'b', 'dy').filter(({ cell, layer }) =>
    cell.tensor === 'dy' ? !follows && !layer.loss && !layer.fixed.dy : !layer.fixed[cell.tensor as 'x'],
  );
  if (inputs.length === 0) return '';
  const result = changed('y').at(-1) ?? changed('dx', 'dw')[0];
  return [
    ...inputs.map((change) => inputText(change, named)),
    result ? resultText(result, named) : 'No result changed.',
  ].join(' ');
}

function changeOf(before: LayerContent, now: LayerContent, name: TensorName, telling: Cell | null): Change | null {
  const [old, values] = [before.tensors[name]?.data, now.tensors[name]?.data];
  if (!old || !values || old === values || old.length !== values.length) return null;
  let [count, first] = [0, -1];
  for (let i = 0; i < values.length; i += 1) {
    if (!differs(old[i], values[i])) continue;
    count += 1;
    if (first < 0) first = i;
  }
  if (count === 0) return null;
  const told = telling?.tensor === name ? telling.index : first;
  const index = differs(old[told], values[told]) ? told : first;
  return { count, cell: { tensor: name, index, from: old[index] ?? 0, to: values[index] ?? 0 }, layer: now };
}

const differs = (a: number | undefined, b: number | undefined): boolean =>
  a !== b && !(Number.isNaN(a) && Number.isNaN(b));

const nameOf = ({ cell, layer }: Change, named: Named): string => named(cellLabel(layer.geometry, cell), layer);

function inputText(change: Change, named: Named): string {
  const { count, cell, layer } = change;
  if (count > 1) return `${named(cell.tensor, layer)}: ${counted(count, 'cell')} changed.`;
  return `${nameOf(change, named)} = ${formatExact(cell.to)}.`;
}

const FORMAT = { digits: 4, chars: 9 };

function resultText(change: Change, named: Named): string {
  const { count, cell, layer } = change;
  const [from, to] = [cell.from, cell.to].map((value) => formatCell(value, FORMAT));
  return `${named(cell.tensor, layer)}: ${counted(count, 'cell')} changed, ${nameOf(change, named)} from ${from} to ${to}.`;
}
