import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'surprises',
  order: 3,
  title: 'Gridding',
  sentence: 'Stride and dilation share the factor 2: three of four cells are never read.',
  hash: 'h=9&kh=3&stride=2&dilation=2&padding=2&x=ramp&weights=ones&dy=ones',
};
