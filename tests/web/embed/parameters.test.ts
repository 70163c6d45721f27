import { describe, expect, it } from 'vitest';
import { embedParametersOf } from '../../../web/src/embed/parameters';

const OWN = 'https://conv2d.example';

describe('the address of an embed', () => {
  it('sets a mode, a theme and the allowed origins', () => {
    const asked = embedParametersOf(
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

  it('allows the pages of its own site if it names no origin', () => {
    expect(embedParametersOf('?embed', OWN)).toEqual({ mode: null, theme: null, origins: [OWN], complaints: [] });
  });

  it('allows no page if an origin is not valid', () => {
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
      const { origins, complaints } = embedParametersOf(`?embed&origin=${encodeURIComponent(text)}`, OWN);
      expect([text, origins, complaints.length]).toEqual([text, [], 1]);
    }
  });

  it('has no origin in a sandbox', () => {
    expect(embedParametersOf('?embed=board', 'null').origins).toEqual([]);
  });

  it('reports unknown values', () => {
    const { mode, theme, complaints } = embedParametersOf('?embed=boards&theme=blue', OWN);
    expect([mode, theme]).toEqual([null, null]);
    expect(complaints).toEqual([
      expect.stringMatching(/^embed is "boards" .* must be board, network, geometry, .* or learn\.$/),
      'theme is "blue" in the address of this frame, but must be light or dark.',
    ]);
  });
});
