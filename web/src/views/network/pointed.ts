import { type Signal, signal } from '@preact/signals';
import type { ViewModel } from '../kit/view-model';
import type { Place } from './net';

const hovered = new WeakMap<ViewModel['content'], Signal<Place | null>>();

/** The cell under the pointer, which the panels outline and the side panel explains. */
export function hoveredIn({ content }: ViewModel): Signal<Place | null> {
  const known = hovered.get(content) ?? signal<Place | null>(null);
  hovered.set(content, known);
  return known;
}
