import { expect, test } from 'vitest';
import { linkOf, stepRefOf } from '../../../web/src/lessons/lessons';
import { parseLink } from '../../../web/src/link/parse-link';
import { readLink } from '../../../web/src/link/read-link';
import { layerOf } from '../support/problems';

// In its own file, where no other test has loaded the sample images.
test('opens a link with percent-encoded separators, with its image', async () => {
  const { problem, complaints } = await readLink('#h=16&kh=3&x=sample%3Aportrait&padding=1%2C2%2C3%2C0');
  expect(complaints).toEqual([]);
  expect(problem.x.source).toEqual({ kind: 'sample', name: 'portrait' });
  expect(new Set(problem.x.data).size).toBeGreaterThan(20);
  expect(layerOf(problem).desc.padding).toEqual({ top: 1, bottom: 2, left: 3, right: 0 });
});

test('opens the lesson step of a link without a problem', async () => {
  const stepOf = (name: string) => {
    const place = stepRefOf(name);
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

test('keeps the problem of a link with a lesson, and ignores an unknown lesson', async () => {
  const { problem, look } = await readLink('h=9&side=lesson&lesson=padding.2');
  expect([layerOf(problem).desc.h, look.lesson]).toEqual([9, 'padding.2']);
  expect((await readLink('lesson=nothing.7')).look.lesson).toBe('nothing.7');
  expect((await readLink('lesson=padding&h=7')).complaints).toHaveLength(1);
});
