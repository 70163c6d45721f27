import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'begin',
  place: 4,
  title: 'Full',
  sentence: 'Every product of a cell and a weight appears; every cell of x is read equally often.',
  hash: 'h=4&kh=3&stride=1&padding=full&x=ramp&weights=countdown:12',
};
