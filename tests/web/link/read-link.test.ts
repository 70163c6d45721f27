import { expect, test } from 'vitest';
import { linkOf, placeOf } from '../../../web/src/lessons/lessons';
import { parseLink } from '../../../web/src/link/parse-link';
import { readLink } from '../../../web/src/link/read-link';

// A file of its own: here nobody has fetched the program's own pictures before.
test('a link whose separators were encoded on the way is the same link, with its picture', async () => {
  const { problem, complaints } = await readLink('#h=16&kh=3&x=sample%3Aportrait&padding=1%2C2%2C3%2C0');
  expect(complaints).toEqual([]);
  expect(problem.x.source).toEqual({ kind: 'sample', name: 'portrait' });
  expect(new Set(problem.x.data).size).toBeGreaterThan(20);
  expect(problem.desc.padding).toEqual({ top: 1, bottom: 2, left: 3, right: 0 });
});

test('a link that names a lesson and nothing of a problem opens the step, with its problem', async () => {
  const stepOf = (name: string) => {
    const place = placeOf(name);
    if (!place) throw new Error(`there is no step ${name}`);
    return parseLink(linkOf(place));
  };
  for (const [link, name] of [
    ['lesson=padding', 'padding.1'],
    ['#lesson=padding.2', 'padding.2'],
    ['side=lesson&lesson=gather.3', 'gather.3'],
  ] as const) {
    const { problem, look, complaints } = await readLink(link);
    expect(complaints, link).toEqual([]);
    expect(look, link).toEqual(stepOf(name).look);
    expect(problem, link).toEqual(stepOf(name).problem);
  }
  const { look } = await readLink('lesson=gather.2&lecture=words&controls=folded');
  expect(look).toEqual({ ...stepOf('gather.2').look, lecture: 'words', controls: 'folded' });
});

test('a link with a problem of its own keeps it, and a lesson that is not there brings none', async () => {
  const { problem, look } = await readLink('h=9&side=lesson&lesson=padding.2');
  expect([problem.desc.h, look.lesson]).toEqual([9, 'padding.2']);
  expect((await readLink('lesson=nothing.7')).look.lesson).toBe('nothing.7');
  expect((await readLink('lesson=padding&h=7')).complaints).toHaveLength(1);
});
