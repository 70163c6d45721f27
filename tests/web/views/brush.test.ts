import { describe, expect, test } from 'vitest';
import { brushOf } from '../../../web/src/views/overview/dy-parts';

describe('the brush', () => {
  test('paints by default a value that changes a dy of ones or of zeros', () => {
    expect([0, 1]).not.toContain(brushOf({}).value);
  });

  test('is the chosen one, or the default for an invalid link', () => {
    expect(brushOf({ value: 1, reach: 4 })).toEqual({ value: 1, reach: 4 });
    expect(brushOf({ value: 7, reach: 'wide' })).toEqual(brushOf({}));
  });
});
