import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'surprises',
  order: 2,
  title: 'Checkerboard',
  sentence: 'Stride 2 does not divide 3 weights: with dy and w all 1, dx alternates 1-2-1-2 and 2-4-2-4.',
  hash: 'h=9&kh=3&stride=2&padding=1&x=ones&weights=ones&dy=ones',
};
