import type { Preset } from '../preset';

export const preset: Preset = {
  group: 'notebook',
  order: 9,
  title: '9 A batch',
  sentence: 'Three images through the same filters: dw and db are summed over the batch.',
  hash: 'n=3&h=4&kh=3&c=3&k=4&x=ramp&weights=countdown:120&bias=constant:0~i16.CgBkAOgDECc',
};
