import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'notebook',
  order: 6,
  title: '6 Channels and bias',
  sentence: 'The bias is added to every output, so its gradient is the sum of all of dy.',
  hash: 'h=4&kh=3&c=3&x=ramp&weights=countdown:30&bias=constant:10',
};
