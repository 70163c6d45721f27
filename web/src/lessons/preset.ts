/** An example problem: one file in presets/, with no other registration. */
export interface Preset {
  readonly group: GroupId;
  /** Position in its group. */
  readonly order: number;
  readonly title: string;
  /** What it shows, one sentence. */
  readonly sentence: string;
  /** Problem and view state, as a link (link/fields.ts). */
  readonly hash: string;
}

export const GROUPS = [
  { id: 'begin', title: 'Basics and padding' },
  { id: 'moves', title: 'Stride, dilation, channels' },
  { id: 'surprises', title: 'Surprises' },
  { id: 'notebook', title: 'Ten cases from the notebook' },
] as const;

export type GroupId = (typeof GROUPS)[number]['id'];
