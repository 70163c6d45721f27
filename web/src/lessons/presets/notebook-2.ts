import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'notebook',
  place: 2,
  title: '2 Padding',
  sentence: 'A ring of zeros lets the window stand on the edge: y is as large as x.',
  hash: 'h=4&kh=3&padding=1&x=ramp&weights=countdown:12',
};
