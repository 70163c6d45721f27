import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'notebook',
  order: 2,
  title: '2 Padding',
  sentence: 'With a ring of zeros the window reaches over the edge: y is as large as x.',
  hash: 'h=4&kh=3&padding=1&x=ramp&weights=countdown:12',
};
