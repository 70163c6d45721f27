import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'notebook',
  order: 10,
  title: '10 All together',
  sentence: 'Three RGB images, four filters with biases, padding and stride.',
  hash: 'n=3&h=7&kh=3&c=3&k=4&stride=2&padding=1&x=ramp&weights=countdown:120&bias=constant:0~i16.CgBkAOgDECc',
};
