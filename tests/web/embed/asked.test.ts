import { describe, expect, it } from 'vitest';
import { askedBy } from '../../../web/src/embed/asked';

const OWN = 'https://conv2d.example';

describe('the address of an embed', () => {
  it('names a mode, colours and who may drive', () => {
    const asked = askedBy(
      '?embed=dx&theme=dark&origin=https%3A%2F%2Fcourse.example&origin=http://localhost:8888/',
      OWN,
    );
    expect(asked).toEqual({
      mode: 'dx',
      theme: 'dark',
      origins: ['https://course.example', 'http://localhost:8888'],
      complaints: [],
    });
  });

  it('lets pages of its own site drive where nobody is named', () => {
    expect(askedBy('?embed', OWN)).toEqual({ mode: null, theme: null, origins: [OWN], complaints: [] });
  });

  it('lets nobody in where a name is no origin', () => {
    for (const text of [
      '*',
      'null',
      '',
      'course.example',
      'https://',
      'file://',
      'https://a.example/path',
      'javascript:1',
    ]) {
      const { origins, complaints } = askedBy(`?embed&origin=${encodeURIComponent(text)}`, OWN);
      expect([text, origins, complaints.length]).toEqual([text, [], 1]);
    }
  });

  it('has no origin of its own in a sandbox', () => {
    expect(askedBy('?embed=steps', 'null').origins).toEqual([]);
  });

  it('says what it does not know', () => {
    const { mode, theme, complaints } = askedBy('?embed=boards&theme=blue', OWN);
    expect([mode, theme]).toEqual([null, null]);
    expect(complaints).toEqual([
      expect.stringMatching(/^embed is "boards" .* must be board, steps, .* or learn\.$/),
      'theme is "blue" in the address of this frame, but must be light or dark.',
    ]);
  });
});
