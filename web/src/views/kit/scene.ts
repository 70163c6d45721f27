import type { Focus } from '../../geometry/focus';
import type { Highlights } from '../../look/look-store';
import type { Cell } from '../../protocol/cell';
import type { ConvDesc, Geometry, Tensor, TensorName } from '../../protocol/problem';
import type { DySource } from '../../sources/dy-sources';
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
