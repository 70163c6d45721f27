import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'moves',
  order: 3,
  title: 'Depthwise',
  sentence: 'One filter for each channel: no sum over channels.',
  hash: 'h=5&kh=3&stride=1&padding=1&c=3&k=3&groups=3&x=random:1&weights=random:2',
};
