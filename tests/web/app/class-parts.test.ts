import { expect, test } from 'vitest';
import { groupsOf, type Prepared, stateOf, withState } from '../../../web/src/app/share/class-parts';
import { parseLink } from '../../../web/src/link/parse-link';
import { writeLink } from '../../../web/src/link/write-link';
import { HIDEABLE, LOCKABLE } from '../../../web/src/look/parts';

const NOTHING: Prepared = { locked: [], absent: [], masked: [] };
const rows = groupsOf('board').flatMap((group) => group.rows);

test('each row of the panel is what it was set to, after a way through a link, and nothing else is', () => {
  for (const row of rows) {
    for (const state of ['locked', 'hidden', 'free'] as const) {
      if (state === 'locked' && !row.lock) continue;
      if (state === 'hidden' && !row.hide) continue;
      const before = withState(row, 'locked', withState(row, 'hidden', NOTHING));
      const { problem, look } = parseLink('h=5&kh=3');
      const link = writeLink({ problem, look: { ...look, ...withState(row, state, before) } }).hash;
      const opened = parseLink(link);
      expect(opened.complaints).toEqual([]);
      expect(rows.filter((other) => stateOf(other, opened.look) !== 'free').map(({ words }) => words)).toEqual(
        state === 'free' ? [] : [row.words],
      );
      expect(stateOf(row, opened.look)).toBe(state);
    }
  }
});

test('what a link can lock or hide stands in the panel, but for what is no use to a class', () => {
  const locks = rows.map(({ lock }) => lock);
  const hides = rows.map(({ hide }) => hide);
  expect(LOCKABLE.filter((part) => !locks.includes(part))).toEqual(['mode.board', 'controls']);
  // The page has no tab for code.
  expect(HIDEABLE.filter((part) => !hides.includes(part) && part !== 'side.code')).toEqual(['mode.board', 'hide']);
});

test('cells that are hidden one by one stay so', () => {
  const masked = [{ tensor: 'y', index: 4 } as const];
  const y = rows.find(({ words }) => words === 'y');
  if (!y) throw new Error('y has no row');
  const hidden = withState(y, 'hidden', { ...NOTHING, masked });
  expect(hidden.masked).toHaveLength(2);
  expect(withState(y, 'free', hidden).masked).toEqual(masked);
});
