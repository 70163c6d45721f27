import { describe, expect, it } from 'vitest';
import type { ProcessName } from '../../../web/src/protocol/problem';
import { frameOf } from '../../../web/src/views/shared/walk/StepPlayer';
import { descOf, geometryOf } from '../geometry/arbitrary-geometry';

/** Two images, two channels, three filters; x is 4 x 4, y is 2 x 2. */
const g = geometryOf(
  descOf({
    ...{ n: 2, h: 4, w: 4, c: 2, k: 3, stride_h: 1, stride_w: 1 },
    padding: { top: 0, bottom: 0, left: 0, right: 0 },
  }),
);
/** Step 7 of 8: the lower left output of the second image. */
const frame = (process: ProcessName, geometry = g) => frameOf(geometry, process, 7, { n: 0, c: 1, k: geometry.k - 1 });

describe('the sentence of a step', () => {
  it.each<[ProcessName, string]>([
    ['forward', 'y[1,1,0,*] reads rows 1 to 3, columns 0 to 2 of x, one filter each.'],
    ['dx_scatter', 'dy[1,1,0,*] times w, summed over the filters, is added to rows 1 to 3, columns 0 to 2 of dx.'],
    ['dw_accumulate', 'dy[1,1,0,*] times rows 1 to 3, columns 0 to 2 of x is added to dw, one filter each.'],
    ['db_accumulate', 'dy[1,1,0,*] is added to db, one filter each.'],
  ])('of %s names all cells of the step', (process, words) => {
    expect(frame(process).sentence).toBe(`Step 7 of 8: ${words}`);
  });

  it('names a single cell with one filter', () => {
    expect(frame('db_accumulate', { ...g, k: 1, group_k: 1 }).sentence).toBe('Step 7 of 8: dy[1,1,0] is added to db.');
  });

  it('has the star at the filter index of the layout', () => {
    const sentence = frame('db_accumulate', { ...g, layout: 'nchw' }).sentence;
    expect(sentence).toBe('Step 7 of 8: dy[1,*,1,0] is added to db, one filter each.');
  });
});

describe('the marks of a step', () => {
  it('cover the sums of all filters that it changes', () => {
    const written = (process: ProcessName) => frame(process).highlights?.targets.map(({ count }) => count);
    expect(written('db_accumulate')).toEqual([3]);
    // 3 x 3 weights of 2 channels and 3 filters.
    expect(written('dw_accumulate')).toEqual([54]);
  });
});
