import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'begin',
  place: 1,
  title: 'A bright corner',
  sentence:
    'Nine windows, and w finds the edge: y is large where x turns from dark to bright. What the page opens with.',
  hash: '',
};
