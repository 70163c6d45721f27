import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'moves',
  order: 1,
  title: 'Stride 2',
  sentence: 'The window skips every other position; the gradient of x has four interleaved patterns.',
  hash: 'h=8&kh=4&stride=2&padding=1&x=ramp&weights=countdown:16',
};
