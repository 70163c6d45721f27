import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'notebook',
  order: 1,
  title: '1 Basic',
  sentence: 'Four windows of x, four numbers in y. Small enough to check on paper.',
  hash: 'h=4&kh=3&x=ramp&weights=countdown:12',
};
