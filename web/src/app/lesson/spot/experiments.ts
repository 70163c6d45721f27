import type { ConvDesc } from '../../../protocol/problem';

/** A change of the settings that exposes some of the bugs. */
export interface Experiment {
  readonly label: string;
  readonly isOn: (desc: ConvDesc) => boolean;
  readonly on: Partial<ConvDesc>;
  readonly off: Partial<ConvDesc>;
}

const NO_PADDING = { top: 0, bottom: 0, left: 0, right: 0 };
const RING = { top: 1, bottom: 1, left: 1, right: 1 };

export const EXPERIMENTS: readonly Experiment[] = [
  {
    label: 'padding 1',
    isOn: ({ padding_mode, padding }) => padding_mode === 'explicit_sides' && padding.top === 1 && padding.left === 1,
    on: { padding_mode: 'explicit_sides', padding: RING },
    off: { padding_mode: 'explicit_sides', padding: NO_PADDING },
  },
  {
    label: 'stride 2',
    isOn: ({ stride_h, stride_w }) => stride_h === 2 && stride_w === 2,
    on: { stride_h: 2, stride_w: 2 },
    off: { stride_h: 1, stride_w: 1 },
  },
  {
    label: 'stride 2 down, 1 across',
    isOn: ({ stride_h, stride_w }) => stride_h === 2 && stride_w === 1,
    on: { stride_h: 2, stride_w: 1 },
    off: { stride_h: 1, stride_w: 1 },
  },
  {
    label: 'dilation 2',
    isOn: ({ dilation_h, dilation_w }) => dilation_h === 2 && dilation_w === 2,
    on: { dilation_h: 2, dilation_w: 2 },
    off: { dilation_h: 1, dilation_w: 1 },
  },
  { label: 'two images', isOn: ({ n }) => n === 2, on: { n: 2 }, off: { n: 1 } },
  {
    label: 'two groups',
    isOn: ({ groups }) => groups === 2,
    on: { c: 2, k: 2, groups: 2 },
    off: { c: 1, k: 1, groups: 1 },
  },
];
