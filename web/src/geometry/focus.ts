import type { Cell, Geometry } from '../protocol/problem';
import { gridOf, isInside, isMatrix, positionOf } from './grid';

/** The sample, input channel and filter that the grids show. */
export interface Focus {
  readonly n: number;
  readonly c: number;
  readonly k: number;
}

/** The focus clamped to the geometry; the channel belongs to the group of the filter. */
export function validFocus(g: Geometry, focus: Focus): Focus {
  const n = Math.max(0, Math.min(g.n - 1, focus.n));
  const k = Math.max(0, Math.min(g.k - 1, focus.k));
  const first = groupOfFilter(g, k) * g.group_c;
  return { n, k, c: Math.max(first, Math.min(first + g.group_c - 1, focus.c)) };
}

export const groupOfFilter = (g: Geometry, k: number): number => Math.floor(k / g.group_k);
export const groupOfChannel = (g: Geometry, c: number): number => Math.floor(c / g.group_c);

export function focusOn(g: Geometry, { tensor, index }: Cell, focus: Focus): Focus {
  const position = positionOf(g, { tensor, index });
  if (!isInside(gridOf(g, tensor), position)) return focus;
  const { slice, channel } = position;
  switch (tensor) {
    case 'x':
    case 'x_padded':
    case 'dx': {
      const group = groupOfChannel(g, channel);
      const k = groupOfFilter(g, focus.k) === group ? focus.k : group * g.group_k;
      return { n: slice, c: channel, k };
    }
    case 'y':
    case 'dy':
      return validFocus(g, { ...focus, n: slice, k: channel });
    case 'w':
    case 'dw':
      return { ...focus, k: slice, c: groupOfFilter(g, slice) * g.group_c + channel };
    case 'b':
    case 'db':
      return validFocus(g, { ...focus, k: channel });
    default:
      return isMatrix(tensor) ? validFocus(g, { ...focus, k: slice * g.group_k }) : focus;
  }
}
