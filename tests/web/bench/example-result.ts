import type { BenchResult, Entry, Race } from '../../../web/bench/src/result.ts';

export const entry = (party: string, form: string, kernel: number, endToEnd?: number): Entry => ({
  party,
  form,
  kernel: { median: kernel, samples: [kernel] },
  ...(endToEnd === undefined ? {} : { endToEnd: { median: endToEnd, samples: [endToEnd] } }),
});

export const race = (shape: string, entries: readonly Entry[]): Race => ({
  shape,
  pass: 'forward',
  flops: 20e6,
  tensorFloats: 1000,
  entries,
  failures: [],
});

export const result = (races: readonly Race[]): BenchResult => ({
  where: 'chromium',
  date: '2026-01-02T03:04:05Z',
  machine: 'a machine',
  engine: 'Chromium 1',
  threads: 1,
  rounds: 15,
  parties: { 'ours-relaxed': 'this tree', litert: '1', ort: '2' },
  ceilings: { relaxed: { median: 40, best: 41 }, simd: { median: 20, best: 21 } },
  races,
});
