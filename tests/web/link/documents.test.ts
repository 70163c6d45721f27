import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exerciseRefOf } from '../../../web/src/lessons/exercises';
import { stepRefOf } from '../../../web/src/lessons/lessons';
import { parseLink } from '../../../web/src/link/parse-link';

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

/** What is wrong with a link. */
function faultsOf(link: string): readonly string[] {
  const { fault, complaints } = parseLink(link);
  const place = new URLSearchParams(link).get('lesson');
  const unknown = place !== null && !isPlace(place) ? [`there is no ${place}`] : [];
  return [...(fault === null ? [] : [fault]), ...complaints, ...unknown];
}

test.each(LINKS)('%s has a link that opens: %s', (_, link = '') => {
  expect(faultsOf(link)).toEqual([]);
});

test('a link to a lesson or a field that does not exist is refused', () => {
  expect(faultsOf('lesson=no-such-lesson.1')).toEqual(['there is no no-such-lesson.1']);
  expect(faultsOf('lesson=padding.99')).toEqual(['there is no padding.99']);
  expect(faultsOf('h=a')).not.toEqual([]);
});
