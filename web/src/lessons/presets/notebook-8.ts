import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'notebook',
  order: 8,
  title: '8 Filters and bias',
  sentence: 'Each filter has its own bias.',
  hash: 'h=4&kh=3&c=3&k=4&x=ramp&weights=countdown:120&bias=constant:0~i16.CgBkAOgDECc',
};
