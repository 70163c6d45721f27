import type { Focus } from '../../geometry/focus';
import type { AddressedCell, Cell } from '../../protocol/cell';
import type { ComputeResult } from '../../protocol/messages';
import type { ConvDesc, Geometry, LossName, Tensor, TensorName } from '../../protocol/problem';
import type { DySource } from '../../sources/dy-sources';

export type Tensors = Readonly<Partial<Record<TensorName, Tensor>>>;

/** A result and the inputs that it was computed from. Views draw it and compute nothing. */
export interface Content {
  /** Identifies the result in questions about it. */
  readonly revision: number;
  readonly geometry: Geometry;
  /** The description that the controls show; `geometry` is derived from it. */
  readonly desc: ConvDesc;
  /** Inputs and results; a result that was not computed is missing. */
  readonly tensors: Tensors;
  /** x is a photo with values 0..1 and is drawn as one. */
  readonly photo: boolean;
  /** The loss at y, with dy as its gradient; null: dy is set directly. */
  readonly loss: Loss | null;
  /** The algorithm of each result. */
  readonly runs: ComputeResult['runs'];
}

export interface Loss {
  readonly kind: Exclude<LossName, 'linear'>;
  readonly value: number;
  /** null: 0 everywhere. */
  readonly target: Float32Array | null;
}

export type InputValues = Readonly<Partial<Record<'x' | 'w' | 'b', Float32Array | undefined>>>;

/** User actions on a view. Views report them; the app handles them. */
export interface ViewEvents {
  readonly onHover: (cell: Cell | null) => void;
  readonly onMove: (cell: Cell) => void;
  readonly onPick: (cell: Cell) => void;
  readonly onEdit: (place: AddressedCell, value: number) => void;
  readonly onFocus: (focus: Focus) => void;
  /** Another dy was chosen while `geometry` was shown. */
  readonly onDy: (source: DySource, geometry: Geometry) => void;
  /** Cells of dy were painted; one gesture is one undo step. */
  readonly onPaint: (indices: readonly number[], value: number, geometry: Geometry, gesture: string) => void;
  /** The user chose sizes that a view proposed. */
  readonly onDesc: (patch: Partial<ConvDesc>) => void;
  /** The user followed a link of a view. */
  readonly onLink: (link: string) => void;
  /** An image was chosen as the target of the loss. */
  readonly onTarget: (file: File) => void;
  /** The values of whole inputs, computed for `geometry`, become those of the problem. */
  readonly onUseValues: (values: InputValues, geometry: Geometry) => void;
}
