import { describe, expect, test } from 'vitest';
import { brushOf } from '../../../web/src/views/dy/brush';

describe('the brush', () => {
  test('that painting begins with changes what dy is then: ones, or zeros', () => {
    expect([0, 1]).not.toContain(brushOf({}).value);
  });

  test('is the one that was chosen, and nothing that a link may say', () => {
    expect(brushOf({ value: 1, reach: 4 })).toEqual({ value: 1, reach: 4 });
    expect(brushOf({ value: 7, reach: 'wide' })).toEqual(brushOf({}));
  });
});
