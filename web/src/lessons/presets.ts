/** Problems to start from. What they open, and what there is to see, is in lessons.ts: fetched when one is chosen. */

interface Preset {
  readonly id: string;
  readonly label: string;
}

export interface PresetGroup {
  readonly label: string;
  readonly presets: readonly Preset[];
}

/** THE LIST: the page offers these, in this order. */
export const PRESET_GROUPS = [
  {
    label: 'Padding',
    presets: [
      { id: 'valid', label: 'valid' },
      { id: 'same', label: 'same' },
      { id: 'full', label: 'full' },
    ],
  },
  {
    label: 'Stride, dilation, groups',
    presets: [
      { id: 'strided', label: 'strided' },
      { id: 'dilated', label: 'dilated' },
      { id: 'depthwise', label: 'depthwise' },
      { id: 'pointwise', label: 'pointwise' },
      { id: 'asymmetric', label: 'asymmetric' },
    ],
  },
  {
    label: 'Surprises',
    presets: [
      { id: 'remainder', label: 'remainder' },
      { id: 'checkerboard', label: 'checkerboard' },
      { id: 'gridding', label: 'gridding' },
      { id: 'stamp', label: 'one-hot dy' },
    ],
  },
  {
    label: 'Notebook',
    presets: [
      { id: 'notebook-1', label: '1' },
      { id: 'notebook-2', label: '2' },
      { id: 'notebook-3', label: '3' },
      { id: 'notebook-4', label: '4' },
      { id: 'notebook-5', label: '5' },
      { id: 'notebook-6', label: '6' },
      { id: 'notebook-7', label: '7' },
      { id: 'notebook-8', label: '8' },
      { id: 'notebook-9', label: '9' },
      { id: 'notebook-10', label: '10' },
    ],
  },
] as const satisfies readonly PresetGroup[];

export type PresetId = (typeof PRESET_GROUPS)[number]['presets'][number]['id'];
