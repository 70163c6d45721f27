import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'moves',
  order: 2,
  title: 'Dilation 2',
  sentence: 'The window has gaps: 3 × 3 weights span 5 × 5 cells.',
  hash: 'h=8&kh=3&stride=1&dilation=2&padding=same&x=ramp&weights=countdown:12',
};
