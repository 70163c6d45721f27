import { type Signal, signal, useSignal } from '@preact/signals';
import type { ViewState } from '../../look/look';
import { useDerived, useViewModel, type ViewModel } from '../shared/view-model';
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

/**
 * The network and its current cell, as signals that stay the same: that under the pointer, else the pinned one, else that of the
 * player's step. The player unpins.
 */
export function useNet(wanted: ViewState) {
  const model = useViewModel();
  const { content, focus } = model;
  const chosen = useSignal(wanted);
  chosen.value = wanted;
  const net = useDerived(() => netOf(content.value), [content]);
  const pinned = useDerived(() => net.value && placeOf(net.value, chosen.value.cell), [net, chosen]);
  const slices = useDerived(
    () => (net.value ? channelsOf(net.value, chosen.value.slices, pinned.value).join('.') : ''),
    [net, chosen, pinned],
  );
  const step = useDerived(
    () => net.value && stepOf(net.value, chosen.value.t, focus.value.n, slices.value.split('.').map(Number)),
    [net, chosen, focus, slices],
  );
  const hovered = hoveredIn(model);
  const selected = useDerived(() => known(net.value, hovered.value) ?? pinned.value, [net, hovered, pinned]);
  const pointed = useDerived(() => selected.value ?? step.value?.place ?? null, [selected, step]);
  return { net, chosen, slices, step, hovered, selected, pointed };
}
