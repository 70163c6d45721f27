import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'surprises',
  place: 2,
  title: 'Checkerboard',
  sentence: '3 weights are no multiple of stride 2: with ones for dy and w, dx alternates 1-2-1-2 and 2-4-2-4.',
  hash: 'h=9&kh=3&stride=2&padding=1&x=ones&weights=ones&dy=ones',
};
