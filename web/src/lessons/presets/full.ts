import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'begin',
  order: 4,
  title: 'Full',
  sentence: 'Every cell of x meets every weight, so all cells are read equally often.',
  hash: 'h=4&kh=3&stride=1&padding=full&x=ramp&weights=countdown:12',
};
