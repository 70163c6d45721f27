import type { FileContents, Refused } from '../../formats/format';
import type { Geometry } from '../../protocol/problem';
import type { InputName } from '../../protocol/tensors';

/** The pinned cell of an input, and the geometry that its index is for. */
export interface PinnedInputCell {
  readonly tensor: InputName;
  readonly index: number;
  readonly geometry: Geometry;
}

/** An opened file or a pasted text, and what was read from it. */
export interface OpenedArrays {
  /** File name; '' for pasted text. */
  readonly name: string;
  readonly opened: FileContents | Refused;
  /** The cell that was pinned when the text was pasted; null: none. */
  readonly at: PinnedInputCell | null;
  /** Ends the worker that reads it. */
  readonly end: () => void;
}
