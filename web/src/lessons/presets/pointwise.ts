import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'moves',
  order: 4,
  title: '1 × 1',
  sentence: 'A window of one cell mixes only channels: the im2col matrix is x itself.',
  hash: 'h=4&kh=1&stride=1&padding=0&c=3&k=2&x=random:1&weights=random:2',
};
