import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  costOf,
  engineOf,
  isOfOtherProblems,
  NO_CEILINGS,
  openRecordJson,
  parseRecordText,
  parseSetup,
  type RaceRecord,
  recordJson,
  recordText,
  requestOf,
  type Setup,
  setupText,
  summaryOf,
  TIMES_PATTERN,
  tasksOf,
} from '../../../web/src/app/race/record';
import { gigaflops, isClear, noiseWarning } from '../../../web/src/app/race/TaskBars';
import { PASSES } from '../../../web/src/protocol/problem';
import type { RaceEntry, RaceResult } from '../../../web/src/protocol/race';
import { reachOf } from '../../../web/src/ui/plot/BarTable';
import { makeDesc } from '../contract/requests';

const flat = (median: number, spread = 0) => ({ median, low: median - spread, high: median + spread });

const setups: fc.Arbitrary<Setup> = fc.record({
  passes: fc.subarray([...PASSES], { minLength: 1 }),
  every: fc.boolean(),
  careful: fc.boolean(),
});

describe('statistics', () => {
  it('computes the median and the quartiles', () => {
    expect(summaryOf([5, 1, 4, 2, 3])).toEqual({ median: 3, low: 2, high: 4 });
    // NumPy: percentile([1, 2, 3, 10], [25, 50, 75]) = 1.75, 2.5, 4.75
    expect(summaryOf([10, 1, 3, 2])).toEqual({ median: 2.5, low: 1.75, high: 4.75 });
    expect(summaryOf([7])).toEqual({ median: 7, low: 7, high: 7 });
    expect(summaryOf([])).toBeNull();
  });

  it('computes operations per second', () => {
    expect(gigaflops(2e9, 1000)).toBe(2);
    expect(gigaflops(1e6, 0.5)).toBe(2);
  });

  it('computes what a pass takes', () => {
    const desc = makeDesc({
      ...{ n: 2, h: 6, w: 5, c: 3, k: 4, kh: 3, kw: 2, stride_h: 2 },
      padding: { top: 1, bottom: 0, left: 1, right: 1 },
    });
    // 2 images of 3 x 6 outputs, 4 filters of 3 x 2 x 3 weights; x has 180 values, w 72, y 144.
    const floats = { forward: 180 + 72 + 4 + 144, backward_data: 396, backward_weights: 396, backward_bias: 148 };
    for (const pass of PASSES) {
      expect(costOf({ desc, pass })).toEqual({
        ...{ flops: pass === 'backward_bias' ? 144 : 2 * 144 * 18, bytes: 4 * floats[pass] },
        x_col_bytes: 4 * 36 * 18,
      });
    }
  });

  it('ranks two entrants only if their spreads do not overlap', () => {
    expect(isClear(flat(1, 0.1), flat(2, 0.1))).toBe(true);
    expect(isClear(flat(1, 0.5), flat(2, 0.5))).toBe(false);
  });

  it('warns if the spread is too large to rank the fastest two', () => {
    const raced = (...samples: (readonly number[])[]) =>
      noiseWarning({ entries: samples.map((each) => ({ samples: each })) } as unknown as RaceResult);
    // Quartiles of 1 2 3: 1.5 and 2.5, so +- 25 % of the median; the other's median is 10 % more.
    expect(raced([3, 1, 2], [2.2, 2.2, 2.2])).toBe(
      'The two fastest differ by 10 %, but their times vary by ± 25 %. Close other programs and race again.',
    );
    expect(raced([9, 9, 9], [3, 1, 2])).toBeNull();
    expect(raced([1, 2, 9], [99, 99, 99])).toBe(
      'The times of the fastest vary by ± 100 %. Close other programs and race again.',
    );
    expect(raced([5])).toBeNull();
    expect(raced()).toBeNull();
  });

  it('scales the bars independently of the ceilings', () => {
    const value = { low: 1, middle: 2, high: 2.5 };
    expect(reachOf([{ value, other: 1.5 }])).toBeCloseTo(2.6);
    expect(reachOf([{ value, other: 4 }])).toBeCloseTo(4.16);
    expect(reachOf([{ value: null, other: null }])).toBeGreaterThan(0);
  });
});

describe('setup', () => {
  it('survives a round trip through a link', () => {
    fc.assert(
      fc.property(setups, (setup) => {
        const text = setupText(setup);
        expect(parseSetup(text)).toEqual(setup);
        expect(isOfOtherProblems(text)).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  it('has at least one race for any link', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        expect(requestOf(parseSetup(text), makeDesc()).tasks.length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
    expect(parseSetup('open').passes).toEqual(PASSES);
  });

  it('recognizes links of earlier versions to races of other problems, and keeps their passes', () => {
    for (const text of ['S1-R4.y-dx', 'D2.y-dx', 'sweep-channels-R5.y-dx']) {
      expect(isOfOtherProblems(text), text).toBe(true);
      expect(parseSetup(text).passes, text).toEqual(['forward', 'backward_data']);
    }
    for (const text of ['this.y', 'open', '']) expect(isOfOtherProblems(text), text).toBe(false);
  });
});

const entry = (change: Partial<RaceEntry>): RaceEntry => ({
  ...{ id: 'simd:', build: 'simd', algorithm: 'implicit_gemm', threads: 1, fate: 'timed', reason: '', error: 1e-7 },
  ...{ samples: [1, 2, 3], scratch_bytes: 0 },
  ...change,
});

const SETUP = parseSetup('this.y-dx-dw-db');
// S4 of tests/problems/named_shapes.json.
const S4 = makeDesc({
  ...{ n: 3, h: 32, w: 29, c: 7, k: 10, kh: 5, kw: 5, padding_mode: 'explicit_sides' },
  padding: { top: 2, bottom: 2, left: 2, right: 2 },
});
const TASKS = tasksOf(SETUP, S4);

const RECORD: RaceRecord = {
  engine: 'Chromium 140',
  cores: 8,
  machine: {
    ...{ cores: 8, clock_step: 0.005, threads: 4 },
    builds: { loops: '', simd: '', relaxed: '', threads: 'the page is not isolated' },
  },
  ceilings: { simd: 24.123, relaxed: 48.9, threads: null, bandwidth: 11.26 },
  results: [
    {
      ...(TASKS[0] as (typeof TASKS)[number]),
      refusal: '',
      entries: [
        entry({ id: 'loops:formula', build: 'loops', algorithm: 'formula', samples: [3.1259] }),
        entry({ id: 'simd:im2col', samples: [0.01234, 0.01234] }),
        entry({ id: 'relaxed:winograd_4x4', build: 'relaxed', samples: [1234.567] }),
        entry({
          id: 'threads:',
          build: 'threads',
          fate: 'wrong',
          reason: 'its result is wrong',
          error: 0.5,
          samples: [],
        }),
      ],
    },
    null,
    { ...(TASKS[2] as (typeof TASKS)[number]), entries: [], refusal: 'too large' },
    null,
  ],
};

describe('record', () => {
  it('has everything in its file', () => {
    const file = JSON.parse(recordJson(RECORD, setupText(SETUP), new Date(0)));
    expect(file).toMatchObject({
      ...{ format: 'conv2d-race', version: 1, date: '1970-01-01T00:00:00.000Z', setup: 'this.y-dx-dw-db' },
      ...{ engine: 'Chromium 140', cores: 8, machine: RECORD.machine, ceilings: RECORD.ceilings },
    });
    expect(file.results).toMatchObject(RECORD.results);
    // S4: 29 x 32 outputs of 10 filters, 5 x 5 x 7 weights each, 3 images.
    expect(file.results[0]).toMatchObject({ name: 'this problem', flops: 2 * 3 * 32 * 29 * 10 * 5 * 5 * 7 });
  });

  it('is opened from its file as from a link, or refused', () => {
    const json = recordJson(RECORD, setupText(SETUP), new Date(0));
    expect(openRecordJson(json)).toEqual({ setup: 'this.y-dx-dw-db', times: recordText(RECORD) });
    const damaged = [json.slice(0, 500), 'null', '7', json.replace('conv2d-race', 'race'), ' '.repeat(5e6)];
    for (const text of damaged) expect(openRecordJson(text)).toBeNull();
    expect(openRecordJson(json.replace('"results":', '"others":'))).toBeNull();
  });

  it('keeps its medians to three digits in a link', () => {
    const text = recordText(RECORD);
    expect(text).toBe('Chromium-140:8:24.1:48.9::11.3~lf:3130,si:12.3,r.winograd_4x4:1230000~~~');
    expect(text).toMatch(TIMES_PATTERN);
    const back = parseRecordText(text, TASKS);
    if (typeof back === 'string') throw new Error(back);
    expect(back).toMatchObject({ engine: 'Chromium 140', cores: 8, machine: null });
    expect(back.ceilings).toEqual({ simd: 24.1, relaxed: 48.9, threads: null, bandwidth: 11.3 });
    expect(back.results.map((result) => result?.entries.map(({ id, samples }) => [id, samples[0]]))).toEqual([
      [
        ['loops:formula', 3.13],
        ['simd:im2col', 0.0123],
        ['relaxed:winograd_4x4', 1230],
      ],
      undefined,
      undefined,
      undefined,
    ]);
    expect(back.results[0]).toMatchObject({ desc: S4, pass: 'forward', refusal: '' });
    expect(recordText(back)).toBe(text);
  });

  it('keeps an entrant with a time below the resolution of the clock', () => {
    const [task] = TASKS as [(typeof TASKS)[number]];
    const results = [{ ...task, refusal: '', entries: [entry({ samples: [0, 0, 0.1] })] }];
    const text = recordText({ ...RECORD, results });
    expect(text).toMatch(/~s:0\.001$/);
    expect(parseRecordText(text, [task])).toMatchObject({ results: [{ entries: [{ id: 'simd:' }] }] });
  });

  it('is read or refused without an exception for any link', () => {
    expect(parseRecordText('rubbish', TASKS)).toBe('The times in this link cannot be read.');
    expect(parseRecordText('<b>:1::::~~~~', TASKS)).toBe('The times in this link cannot be read.');
    expect(parseRecordText('A:1::::~lf:1', TASKS)).toMatch(/do not match its setup: 1 instead of 4 races\.$/);
    const text = recordText(RECORD);
    fc.assert(
      fc.property(
        fc.nat({ max: text.length }),
        fc.nat({ max: 9 }),
        fc.stringMatching(/^[\w.,:~+-]{0,5}$/),
        (at, cut, put) => {
          const opened = parseRecordText(text.slice(0, at) + put + text.slice(at + cut), TASKS);
          if (typeof opened === 'string') expect(opened).toMatch(/\.$/);
          else
            for (const result of opened.results)
              for (const { samples } of result?.entries ?? []) expect(samples[0]).toBeGreaterThan(0);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('contains only the name and version of the browser', () => {
    const chrome =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
    expect(engineOf(chrome)).toBe('Chromium 140');
    expect(engineOf(`${chrome} Edg/140.0`)).toBe('Edge 140');
    expect(engineOf('Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0')).toBe('Firefox 128');
    expect(
      engineOf('Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15'),
    ).toBe('Safari 18');
    expect(engineOf('curl')).toBe('a browser');
    expect(recordText({ ...RECORD, ceilings: NO_CEILINGS, engine: 'a browser', results: [] })).toBe('a-browser:8::::');
  });
});
