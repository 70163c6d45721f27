import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'moves',
  order: 5,
  title: 'Nothing square',
  sentence: 'Different sizes, strides and paddings on each axis and side.',
  hash: 'h=6&w=9&kh=2&kw=3&stride=1x2&padding=0,1,2,0&x=ramp&weights=countdown:6',
};
