import type { DySource } from '../protocol/messages';
import type { ConvDesc, Pass } from '../protocol/problem';
import type { InputTensor } from './sources';

/** Everything that the numbers on the page follow from. Immutable: every edit makes a new one. */
export interface Problem {
  readonly desc: ConvDesc;
  readonly x: InputTensor;
  readonly w: InputTensor;
  /** [1,1,1,k]; null: no bias. */
  readonly b: InputTensor | null;
  readonly dy: DySource;
  /** Algorithms forced by name; passes not named are planned by the library. */
  readonly algorithms: Readonly<Partial<Record<Pass, string>>>;
}

/** Inputs whose cells can be edited. */
export type InputName = 'x' | 'w' | 'b' | 'dy';

export const DEFAULT_DESC: ConvDesc = {
  layout: 'nhwc',
  n: 1,
  h: 7,
  w: 7,
  c: 1,
  k: 1,
  kh: 3,
  kw: 3,
  stride_h: 2,
  stride_w: 2,
  dilation_h: 1,
  dilation_w: 1,
  groups: 1,
  padding_mode: 'explicit_sides',
  padding: { top: 1, bottom: 1, left: 1, right: 1 },
};
