import type { Opened, Refused } from '../../formats/format';
import type { Geometry } from '../../protocol/problem';
import type { InputName } from '../../state/problem';

/** A cell of an input, in the picture where somebody chose it. */
export interface ChosenCell {
  readonly tensor: InputName;
  readonly index: number;
  readonly geometry: Geometry;
}

/** What somebody brought, and what was read of it. */
export interface Numbers {
  /** The file's; '' where they were pasted. */
  readonly name: string;
  readonly opened: Opened | Refused;
  /** The cell that was chosen when they were pasted; null: none was. */
  readonly at: ChosenCell | null;
  /** Nothing more of it is read. */
  readonly end: () => void;
}
