import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'notebook',
  order: 7,
  title: '7 Filters',
  sentence: 'Four filters read the same windows: y has four channels, dx is summed over them.',
  hash: 'h=4&kh=3&c=3&k=4&x=ramp&weights=countdown:120',
};
