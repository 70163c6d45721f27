import { type Signal, signal, useSignal } from '@preact/signals';
import { indexAt } from '../../geometry/grid';
import type { ViewState } from '../../look/look';
import { type Loss, singleOf } from '../../sources/loss';
import { useDerived, useViewModel, type ViewModel } from '../shared/view-model';
import { coneOf } from './cone';
import { channelsOf, type Net, netOf, type Place, placeOf, tensorOf } from './net';
import { stepOf } from './steps';

const hovered = new WeakMap<ViewModel['content'], Signal<Place | null>>();

/** The cell under the pointer, which the panels outline and the side panel explains. */
function hoveredIn({ content }: ViewModel): Signal<Place | null> {
  const known = hovered.get(content) ?? signal<Place | null>(null);
  hovered.set(content, known);
  return known;
}

/** The hovered cell may be one of an earlier network. */
const known = (net: Net | null, place: Place | null): Place | null =>
  net && place && place.index < (tensorOf(net, place)?.grid.cells ?? 0) ? place : null;

/** The cell of the cone before a choice: of the last output, the 1 of dy, else the one in the middle. */
function usualPlace(net: Net, loss: Loss): Place {
  const at = net.layers.length;
  const { row, col } = net.tensors[at]?.grid.size ?? { row: 1, col: 1 };
  const grid = net.tensors[at]?.grid;
  const middle = { slice: 0, row: Math.floor((row - 1) / 2), col: Math.floor((col - 1) / 2), channel: 0 };
  return { at, side: 'value', index: singleOf(loss)?.index ?? (grid ? indexAt(grid, middle) : 0) };
}

/** The network, its current cell and the cone of that, as signals that stay the same: the cell under the pointer, else the pinned one. */
export function useNet(wanted: ViewState) {
  const model = useViewModel();
  const { content, loss, noHintYet } = model;
  const chosen = useSignal(wanted);
  chosen.value = wanted;
  const net = useDerived(() => netOf(content.value), [content]);
  const pinned = useDerived(() => net.value && placeOf(net.value, chosen.value.cell), [net, chosen]);
  const slices = useDerived(
    () => (net.value ? channelsOf(net.value, chosen.value.slices, pinned.value).join('.') : ''),
    [net, chosen, pinned],
  );
  const step = useDerived(() => net.value && stepOf(net.value, chosen.value.t), [net, chosen]);
  const hovered = hoveredIn(model);
  const selected = useDerived(() => known(net.value, hovered.value) ?? pinned.value, [net, hovered, pinned]);
  const pointed = useDerived(
    () =>
      selected.value ?? (net.value && !noHintYet.value ? known(net.value, usualPlace(net.value, loss.value)) : null),
    [net, selected, noHintYet, loss],
  );
  const cone = useDerived(() => net.value && coneOf(net.value, pointed.value), [net, pointed]);
  return { net, chosen, slices, step, hovered, selected, pointed, cone };
}
