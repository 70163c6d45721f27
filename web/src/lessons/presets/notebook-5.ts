import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'notebook',
  order: 5,
  title: '5 Channels',
  sentence: 'Each sum covers three channels: 27 products make one number.',
  hash: 'h=4&kh=3&c=3&x=ramp&weights=countdown:30',
};
