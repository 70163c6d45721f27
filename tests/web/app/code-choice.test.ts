import { describe, expect, test } from 'vitest';
import { codeChoiceText, parseCodeChoice } from '../../../web/src/app/side/Code';

describe('the choice of the Code tab', () => {
  test.each([null, 'numpy', 'numpy.dw.y', 'cpp.db.dx', 'jax.y.dx', 'numpy.network.dw'])('%s survives a round trip', (text) => {
    expect(codeChoiceText(parseCodeChoice(text))).toBe(text);
  });

  test('has defaults for unknown parts', () => {
    expect(parseCodeChoice('fortran.dw.y')).toEqual({
      language: 'cpp',
      result: { pass: 'backward_weights', viewPass: 'forward' },
    });
    expect(parseCodeChoice('numpy.dw')).toEqual({ language: 'numpy', result: null });
    expect(codeChoiceText(parseCodeChoice('cpp'))).toBe(null);
  });
});
