import type { Focus } from '../../geometry/focus';
import type { Cell, Place } from '../../protocol/cell';
import type { ComputeResult } from '../../protocol/messages';
import type { ConvDesc, Geometry, LossName, Tensor, TensorName } from '../../protocol/problem';
import type { DySource } from '../../sources/dy-sources';

export type Tensors = Readonly<Partial<Record<TensorName, Tensor>>>;

/** A result beside the inputs that it was computed from: what views draw, and nothing that they would have to compute. */
export interface Content {
  /** Names the result to who asks about it. */
  readonly revision: number;
  readonly geometry: Geometry;
  /** What the geometry follows from, as the controls have it. */
  readonly desc: ConvDesc;
  /** Given and computed tensors alike; one that was not computed is missing. */
  readonly tensors: Tensors;
  /** x is a photograph: shown as one, its values are 0..1. */
  readonly photo: boolean;
  /** The loss at y whose gradient dy is; null: dy is given. */
  readonly loss: Loss | null;
  /** Which algorithm computed what. */
  readonly runs: ComputeResult['runs'];
}

export interface Loss {
  readonly kind: Exclude<LossName, 'linear'>;
  readonly value: number;
  /** null: 0 everywhere. */
  readonly target: Float32Array | null;
}

export type Taken = Readonly<Partial<Record<'x' | 'w' | 'b', Float32Array | undefined>>>;

/** What a person did to a picture. Views report it; the app decides. */
export interface SceneEvents {
  readonly onHover: (cell: Cell | null) => void;
  readonly onMove: (cell: Cell) => void;
  readonly onPick: (cell: Cell) => void;
  readonly onEdit: (place: Place, value: number) => void;
  readonly onFocus: (focus: Focus) => void;
  /** Another upstream gradient, chosen in a picture of `geometry`. */
  readonly onDy: (source: DySource, geometry: Geometry) => void;
  /** Cells of dy were painted; those of one gesture are undone together. */
  readonly onPaint: (indices: readonly number[], value: number, geometry: Geometry, gesture: string) => void;
  /** Sizes that a view proposed were taken. */
  readonly onDesc: (patch: Partial<ConvDesc>) => void;
  /** A link that a view proposed was followed. */
  readonly onLink: (link: string) => void;
  /** A picture was chosen for the target of the loss. */
  readonly onTarget: (file: File) => void;
  /** Numbers that a view was given for whole inputs of a picture of `geometry` are taken for the problem's own. */
  readonly onTake: (values: Taken, geometry: Geometry) => void;
}
