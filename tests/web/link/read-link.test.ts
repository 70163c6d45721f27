import { expect, test } from 'vitest';
import { readLink } from '../../../web/src/link/read-link';

// A file of its own: here nobody has fetched the program's own pictures before.
test('a link whose separators were encoded on the way is the same link, with its picture', async () => {
  const { problem, complaints } = await readLink('#h=16&kh=3&x=sample%3Aportrait&padding=1%2C2%2C3%2C0');
  expect(complaints).toEqual([]);
  expect(problem.x.source).toEqual({ kind: 'sample', name: 'portrait' });
  expect(new Set(problem.x.data).size).toBeGreaterThan(20);
  expect(problem.desc.padding).toEqual({ top: 1, bottom: 2, left: 3, right: 0 });
});
