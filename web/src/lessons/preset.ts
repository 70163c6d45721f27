/** A problem worth seeing. One file in presets/ is one preset: nothing else has to know of it. */
export interface Preset {
  readonly group: GroupId;
  /** Among those of its group. */
  readonly place: number;
  readonly title: string;
  /** One sentence: what there is to see. */
  readonly sentence: string;
  /** What it opens, as a link (see link/fields.ts): it can be shared, and what can be shared could be a preset. */
  readonly hash: string;
}

export const GROUPS = [
  { id: 'begin', title: 'To begin with, and padding' },
  { id: 'moves', title: 'How w moves, and what it reads' },
  { id: 'surprises', title: 'Surprises' },
  { id: 'notebook', title: 'The notebook’s ten cases' },
] as const;

export type GroupId = (typeof GROUPS)[number]['id'];
