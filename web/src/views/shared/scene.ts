import type { Focus } from '../../geometry/grid';
import type { LayerKind, LayerOf } from '../../layers/list';
import type { PlaneSizes } from '../../protocol/layers';
import type { AddressedCell, Cell, ConvDesc, Geometry } from '../../protocol/problem';
import type { Loss } from '../../sources/loss';

export type InputValues = Readonly<Partial<Record<'x' | 'w' | 'b', Float32Array | undefined>>>;

/** What the user does to a network. Layers are counted from 0; `cell`: of its input, or `of` a layer; `at`: the number of the new layer. */
export type NetworkAct =
  | { readonly kind: 'add'; readonly layer: LayerKind; readonly at: number }
  /** `fields`: those of its kind. */
  | { readonly kind: 'fields'; readonly layer: number; readonly fields: unknown }
  /** dense: gives the kernel the size of its input. */
  | { readonly kind: 'open' | 'remove' | 'dense'; readonly layer: number }
  /** At a cell of the last output. */
  | { readonly kind: 'point'; readonly index: number }
  | {
      readonly kind: 'cell';
      readonly layer: number;
      readonly of: 'x' | 'w' | 'b';
      readonly index: number;
      readonly value: number;
    }
  /** Weights of its convolutions, from the first on. */
  | { readonly kind: 'weights'; readonly layers: readonly Weights[] }
  /** Replaces the problem and opens the view of all layers. Values are in the layout of the input. */
  | {
      readonly kind: 'load';
      readonly input: PlaneSizes;
      readonly x: Float32Array;
      readonly layers: readonly LayerOf<Float32Array>[];
      readonly loss: Loss;
    };

interface Weights {
  readonly w: Float32Array;
  readonly b: Float32Array | null;
}

/** User actions on a view. Views report them; the app handles them. */
export interface ViewEvents {
  readonly onHover: (cell: Cell | null, isFocus?: boolean) => void;
  readonly onMove: (cell: Cell) => void;
  readonly onPick: (cell: Cell) => void;
  readonly onEdit: (place: AddressedCell, value: number) => void;
  readonly onFocus: (focus: Focus) => void;
  /** Another loss or given dy was chosen while `geometry` was shown. */
  readonly onLoss: (loss: Loss, geometry: Geometry) => void;
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
  readonly onNetwork: (act: NetworkAct) => void;
}
