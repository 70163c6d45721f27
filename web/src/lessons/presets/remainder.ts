import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'surprises',
  order: 1,
  title: 'Cells never read',
  sentence:
    'Stride 2 leaves the last row and column over: their gradient is exactly 0. 7 × 7 gives the same output as 8 × 8.',
  hash: 'h=8&kh=3&stride=2&padding=0&x=ramp&weights=countdown:12',
};
