import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'notebook',
  order: 3,
  title: '3 Stride',
  sentence: 'The window moves two cells at a time: 7 × 7 becomes 3 × 3.',
  hash: 'h=7&kh=3&stride=2&x=ramp&weights=countdown:12',
};
