import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exerciseRefOf } from '../../../web/src/lessons/exercises';
import { stepLink, stepRefOf } from '../../../web/src/lessons/lessons';
import { readLink } from '../../../web/src/link/read-link';

// Each link of docs/teaching.md opens.

const TEXT = readFileSync(new URL('../../../docs/teaching.md', import.meta.url), 'utf8');
const LINKS = [...TEXT.matchAll(/`(?:https:\/\/SITE\/)?#([^`]+)`/g)].map(([, hash = '']) => hash);

test('15 questions about transposed convolution have a link', () => {
  const [, rest = ''] = TEXT.split('## Questions about transposed convolution');
  const [section = ''] = rest.split('\n## ');
  expect(section.match(/^\| .+\? \| `#.+` \|$/gm)).toHaveLength(15);
});

describe.each(LINKS)('#%s', (hash) => {
  test('opens without a complaint', async () => {
    const { complaints, fault, look } = await readLink(stepLink(hash));
    expect([complaints, fault]).toEqual([[], null]);
    const { lesson } = look;
    if (lesson === null || /^(bug-|derivation\.)/.test(lesson)) return;
    expect(stepRefOf(lesson) ?? exerciseRefOf(lesson)).not.toBeNull();
  });
});
