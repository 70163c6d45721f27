import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'notebook',
  order: 4,
  title: '4 Padding and stride',
  sentence: 'Both at once: how often a cell is read, and so its gradient, differs from cell to cell.',
  hash: 'h=7&kh=3&stride=2&padding=1&x=ramp&weights=countdown:12',
};
