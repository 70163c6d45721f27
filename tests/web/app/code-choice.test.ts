import { describe, expect, test } from 'vitest';
import { codeChoiceText, parseCodeChoice } from '../../../web/src/app/code/Code';
import { parseLink } from '../../../web/src/link/parse-link';
import { LANGUAGES } from '../../../web/src/snippets/languages';

describe('the choice of the Code tab', () => {
  test.each([null, 'numpy', 'numpy.dw.y', 'cpp.db.dx', 'pytorch.y.dx', 'numpy.network.dw'])(
    '%s survives a round trip',
    (text) => {
      expect(codeChoiceText(parseCodeChoice(text))).toBe(text);
    },
  );

  test('is in links for each language, and for no other', () => {
    for (const { id } of LANGUAGES) {
      const { look, complaints } = parseLink(`h=5&code=${id}.dw`);
      expect([look.code, complaints]).toEqual([`${id}.dw`, []]);
    }
    const { look, complaints } = parseLink('h=5&code=jax.y');
    expect(look.code).toBeNull();
    expect(complaints).toEqual([expect.stringMatching(/^code is "jax.y" in the link, but must be a language and/)]);
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
