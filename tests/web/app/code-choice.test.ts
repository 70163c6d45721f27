import { describe, expect, test } from 'vitest';
import { choiceIn, choiceText } from '../../../web/src/app/side/code/choice';

describe('what the tab Code shows', () => {
  test.each([null, 'numpy', 'numpy.dw.y', 'cpp.db.dx', 'jax.y.dx'])('%s is read and written', (text) => {
    expect(choiceText(choiceIn(text))).toBe(text);
  });

  test('of another version of the page is as in the beginning', () => {
    expect(choiceIn('fortran.dw.y')).toEqual({
      language: 'cpp',
      result: { pass: 'backward_weights', beside: 'forward' },
    });
    expect(choiceIn('numpy.dw')).toEqual({ language: 'numpy', result: null });
    expect(choiceText(choiceIn('cpp'))).toBe(null);
  });
});
