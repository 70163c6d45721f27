import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'notebook',
  place: 5,
  title: '5 Channels',
  sentence: 'Three channels go into each sum: 27 products make one number.',
  hash: 'h=4&kh=3&c=3&x=ramp&weights=countdown:30',
};
