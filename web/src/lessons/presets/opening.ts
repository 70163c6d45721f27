import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'begin',
  order: 1,
  title: 'A bright corner',
  sentence:
    'Nine windows, and w finds the edge: y is large where x changes from dark to bright. The page starts with this problem.',
  hash: '',
};
