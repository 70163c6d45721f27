import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'begin',
  order: 2,
  title: 'No padding',
  sentence: 'The output is smaller than the input, and the corners are read once.',
  hash: 'h=6&kh=3&stride=1&padding=valid&x=ramp&weights=countdown:12',
};
