import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exerciseRefOf } from '../../../web/src/lessons/exercises';
import { stepRefOf } from '../../../web/src/lessons/lessons';
import { readLink } from '../../../web/src/link/read-link';

const DOCS = join(import.meta.dirname, '../../../docs');

/** The links of the documents to the page. */
const LINKS = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) =>
    [...readFileSync(join(DOCS, name), 'utf8').matchAll(/`https:\/\/SITE\/#([^`]+)`/g)].map(([, link = '']) => [
      name,
      link,
    ]),
  );

const isPlace = (place: string): boolean =>
  stepRefOf(place) !== null || exerciseRefOf(place) !== null || /^(derivation|bug-\d+-(y|dx|dw))\.\d+$/.test(place);

/** What is wrong with a link. A lesson has to be in the open tab. */
async function faultsOf(link: string): Promise<readonly string[]> {
  const { fault, complaints, look } = await readLink(link);
  const place = new URLSearchParams(link).get('lesson');
  const unknown = place !== null && !isPlace(place) ? [`there is no ${place}`] : [];
  const closed = place !== null && look.side !== 'lesson' ? ['the lesson is not open'] : [];
  return [...(fault === null ? [] : [fault]), ...complaints, ...unknown, ...closed];
}

test.each(LINKS)('%s has a link that opens: %s', async (_, link = '') => {
  expect(await faultsOf(link)).toEqual([]);
});

test('a link to a lesson or a field that does not exist is refused', async () => {
  expect(await faultsOf('side=lesson&lesson=no-such-lesson.1')).toEqual(['there is no no-such-lesson.1']);
  expect(await faultsOf('side=lesson&lesson=padding.99')).toEqual(['there is no padding.99']);
  expect(await faultsOf('h=5&lesson=padding.2')).toEqual(['the lesson is not open']);
  expect(await faultsOf('h=a')).not.toEqual([]);
});
