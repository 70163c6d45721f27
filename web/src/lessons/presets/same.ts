import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'begin',
  order: 3,
  title: 'Same size',
  sentence: 'Padding that gives as many outputs as inputs.',
  hash: 'h=6&kh=3&stride=1&padding=same&x=ramp&weights=countdown:12',
};
