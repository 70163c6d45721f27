import type { Links } from '../../geometry/links';
import type { BoxRegion } from '../../geometry/region';
import type { Cell } from '../../protocol/cell';
import type { DySource } from '../../protocol/messages';
import type { ConvDesc, Geometry, Tensor, TensorName } from '../../protocol/problem';
import type { Transfer } from '../../ui/colour-scale';
import type { BoardLayout } from './board-layout';

/** Everything that a view draws, and nothing that it would have to compute. */
export interface Scene {
  readonly geometry: Geometry;
  /** What the geometry follows from, as the controls have it. */
  readonly desc: ConvDesc;
  /** Given and computed tensors alike; one that was not computed is missing. */
  readonly tensors: Readonly<Partial<Record<TensorName, Tensor>>>;
  /** x is a photograph: shown as one, its values are 0..1. */
  readonly photo: boolean;
  /** How values are spread over the colours. */
  readonly transfer: Transfer;
  readonly focus: Focus;
  readonly highlights: Highlights | null;
  readonly layout: BoardLayout;
}

/** Which sample, input channel and filter the grids show. */
export interface Focus {
  readonly n: number;
  readonly c: number;
  readonly k: number;
}

/** The cell that is spoken of and everything joined to it. */
export interface Highlights extends Links {
  readonly cell: Cell;
  readonly pinned: boolean;
  /** Factors of the one term of its sum that is being pointed at. */
  readonly term: readonly BoxRegion[];
}

/** What a person did to a picture. Views report it; the app decides. */
export interface SceneEvents {
  readonly onHover: (cell: Cell | null) => void;
  readonly onMove: (cell: Cell) => void;
  readonly onPick: (cell: Cell) => void;
  readonly onEdit: (cell: Cell, value: number) => void;
  readonly onFocus: (focus: Focus) => void;
  /** Another upstream gradient; edits of the same gesture are undone together. */
  readonly onDy: (source: DySource, gesture?: string) => void;
  /** Sizes that a view proposed were taken. */
  readonly onDesc: (patch: Partial<ConvDesc>) => void;
}

export interface PictureProps {
  readonly scene: Scene;
  readonly events: SceneEvents;
}

/** The focus moved into the geometry, with the channel in the group of the filter: others do not meet its weights. */
export function validFocus(g: Geometry, focus: Focus): Focus {
  const n = Math.max(0, Math.min(g.n - 1, focus.n));
  const k = Math.max(0, Math.min(g.k - 1, focus.k));
  const first = groupOfFilter(g, k) * g.group_c;
  return { n, k, c: Math.max(first, Math.min(first + g.group_c - 1, focus.c)) };
}

export function groupOfFilter(g: Geometry, k: number): number {
  return Math.floor(k / g.group_k);
}

export function groupOfChannel(g: Geometry, c: number): number {
  return Math.floor(c / g.group_c);
}
