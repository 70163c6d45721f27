import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'surprises',
  order: 4,
  title: 'A stamp of w',
  sentence: 'A single 1 in dy stamps w into dx. The gradient adds such a stamp for every output.',
  hash: 'h=7&kh=3&stride=1&padding=1&x=ramp&weights=countdown:9&dy=one_hot:24',
};
