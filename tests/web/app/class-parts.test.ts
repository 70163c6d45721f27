import { expect, test } from 'vitest';
import { sideTabs } from '../../../web/src/app/features/list';
import {
  groupsOf,
  PRESETS,
  partState,
  presetRestrictions,
  type Restrictions,
  restrictedLook,
  withState,
} from '../../../web/src/app/share/ClassSheet';
import { parseLink } from '../../../web/src/link/parse-link';
import { writeLink } from '../../../web/src/link/write-link';
import { DEFAULT_LOOK, HIDEABLE, LOCKABLE, MODES } from '../../../web/src/look/look';

const NOTHING: Restrictions = { locked: [], hiddenParts: [], hiddenCells: [] };
const rows = groupsOf('board', sideTabs).flatMap((group) => group.rows);

test('each row keeps its state in a link and changes no other row', () => {
  for (const row of rows) {
    for (const state of ['locked', 'hidden', 'free'] as const) {
      if (state === 'locked' && !row.lock) continue;
      if (state === 'hidden' && !row.hide) continue;
      const before = withState(row, 'locked', withState(row, 'hidden', NOTHING));
      const { problem, look } = parseLink('h=5&kh=3');
      const link = writeLink({ problem, look: { ...look, ...withState(row, state, before) } }).hash;
      const opened = parseLink(link);
      expect(opened.complaints).toEqual([]);
      expect(rows.filter((other) => partState(other, opened.look) !== 'free').map(({ label: words }) => words)).toEqual(
        state === 'free' ? [] : [row.label],
      );
      expect(partState(row, opened.look)).toBe(state);
    }
  }
});

test('the rows cover every lockable and hideable part except those without use in a class', () => {
  const locks = rows.map(({ lock }) => lock);
  const hides = rows.map(({ hide }) => hide);
  expect(LOCKABLE.filter((part) => !locks.includes(part))).toEqual(['mode.board', 'controls']);
  // The page has no tab for code.
  expect(HIDEABLE.filter((part) => !hides.includes(part) && part !== 'side.code')).toEqual(['mode.board', 'hide']);
});

test('hiding and showing a tensor keeps single hidden cells', () => {
  const hiddenCells = [{ tensor: 'y', index: 4 } as const];
  const y = rows.find(({ label: words }) => words === 'y');
  if (!y) throw new Error('y has no row');
  const hidden = withState(y, 'hidden', { ...NOTHING, hiddenCells });
  expect(hidden.hiddenCells).toHaveLength(2);
  expect(withState(y, 'free', hidden).hiddenCells).toEqual(hiddenCells);
});

test('a link with hidden values opens the Explain tab, unless a lesson is open', () => {
  const look = { ...DEFAULT_LOOK, side: 'lesson' } as const;
  const restrictions = { locked: [], hiddenParts: [], hiddenCells: [{ tensor: 'dx', index: 3 }] } as const;
  expect(restrictedLook(look, restrictions)).toMatchObject({ side: 'explain', hiddenCells: restrictions.hiddenCells });
  expect(restrictedLook({ ...look, lesson: 'padding.2' }, restrictions).side).toBe('lesson');
  expect(restrictedLook(look, { ...restrictions, hiddenParts: ['side.explain'] }).side).toBe('lesson');
  expect(restrictedLook(look, { ...restrictions, hiddenCells: [] }).side).toBe('lesson');
});

test('a preset replaces all states: nothing, the sizes and other views, or the results as well', () => {
  const groups = groupsOf('board', sideTabs);
  const [explore, guided, exam] = PRESETS.map(({ states }) => {
    const before = rows.reduce((all, row) => withState(row, row.hide ? 'hidden' : 'locked', all), NOTHING);
    return presetRestrictions(groups, states, before);
  });
  const views = MODES.filter((mode) => mode !== 'board').map((mode) => `mode.${mode}`);
  const sizes = ['padding', 'stride', 'dilation', 'kernel', 'batch', 'channels', 'filters', 'groups'];
  expect(explore).toEqual(NOTHING);
  expect(guided?.hiddenParts.toSorted()).toEqual(views.toSorted());
  expect(sizes.filter((size) => !guided?.locked.includes(size as never))).toEqual([]);
  expect(guided?.hiddenCells).toEqual([]);
  expect(exam?.hiddenCells.map(({ tensor }) => tensor)).toEqual(['y', 'dx', 'dw', 'db']);
  expect(exam?.locked).toEqual(expect.arrayContaining(['x', 'w', 'b', 'dy', 'hide', ...(guided?.locked ?? [])]));
  expect(exam?.hiddenParts).toEqual(expect.arrayContaining([...views, 'values.x', 'examples']));
});
