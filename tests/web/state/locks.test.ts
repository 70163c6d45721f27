import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../web/src/commands/list';
import { IN_EXERCISES, isHideable, isLockable, LOCKABLE, type Lockable } from '../../../web/src/look/look';
import { lockError } from '../../../web/src/state/edits';
import { createStore, type Store } from '../../../web/src/state/store';
import { notebook4 } from '../support/notebook4';
import { layerOf } from '../support/problems';
import { setCell } from './set-cell';

/** Several ways to change each part. */
const DOORS: Readonly<Partial<Record<Lockable, readonly ((store: Store) => void)[]>>> = {
  padding: [(s) => s.setDesc({ padding_mode: 'same' }), (s) => s.setDesc({ padding: sides(2) })],
  stride: [(s) => s.setDesc({ stride_h: 1 }), (s) => s.setDesc({ stride_w: 3 })],
  dilation: [(s) => s.setDesc({ dilation_h: 2 })],
  height: [(s) => s.setDesc({ h: 9 })],
  width: [(s) => s.setDesc({ w: 9 })],
  channels: [(s) => s.setDesc({ c: 2 })],
  batch: [(s) => s.setDesc({ n: 2 })],
  kernel: [(s) => s.setDesc({ kh: 2 }), (s) => s.setDesc({ kw: 2 })],
  filters: [(s) => s.setDesc({ k: 2 })],
  groups: [(s) => s.setDesc({ c: 2, k: 2, groups: 2 })],
  x: [(s) => setCell(s, 'x', 3, 99), (s) => s.setSource('x', { kind: 'random', seed: 4 })],
  w: [(s) => setCell(s, 'w', 3, 99), (s) => s.setSource('w', { kind: 'impulse' }), (s) => s.setFilter('blur')],
  b: [(s) => s.setSource('b', { kind: 'constant', value: 2 })],
  dy: [
    (s) => s.setLoss({ kind: 'given', dy: { kind: 'random', seed: 2 } }),
    (s) => s.setLoss({ kind: 'mse', target: null }),
    (s) => s.setLoss({ kind: 'given', dy: { kind: 'one_hot', index: 1 } }),
    (s) => s.setLoss({ kind: 'given', dy: { kind: 'pointed', index: 1 } }),
  ],
};

const sides = (cells: number) => ({ top: cells, bottom: cells, left: cells, right: cells });

const locking = (locked: readonly Lockable[]) =>
  createStore(notebook4(), { guard: (before, after) => lockError(locked, before, after) });

const parts = Object.keys(DOORS) as readonly Lockable[];

test.each(parts)('an exercise locks %s, with a reason', (part) => {
  for (const change of DOORS[part] ?? []) {
    const store = createStore(notebook4(), {
      guard: (before, after) => lockError(IN_EXERCISES, before, after, true),
    });
    const before = store.problem.value;
    change(store);
    expect(store.problem.value).toBe(before);
    expect(store.draft.value?.error.message).toMatch(/cannot be changed: an exercise is running$/);
    expect(store.canUndo.value).toBe(false);
  }
});

describe('a locked part', () => {
  test.each(parts)('%s cannot be changed in any way, with a reason; without the lock it can', (part) => {
    for (const change of DOORS[part] ?? []) {
      const store = locking([part]);
      const before = store.problem.value;
      change(store);
      expect(store.problem.value).toBe(before);
      expect(store.draft.value?.error.message).toMatch(/cannot be changed: locked by this link$/);
      expect(store.canUndo.value).toBe(false);
      const free = locking(
        parts.filter(
          (other) =>
            other !== part &&
            !(part === 'groups' && /filters|channels/.test(other)) &&
            !(part === 'w' && other === 'kernel'),
        ),
      );
      change(free);
      expect(free.draft.value).toBeNull();
      expect(free.problem.value).not.toBe(before);
    }
  });

  test('of values follows the sizes, which are not locked', () => {
    const store = locking(['x', 'w', 'b', 'dy']);
    store.setDesc({ h: 9, kh: 2, k: 3 });
    expect(store.draft.value).toBeNull();
    expect(layerOf(store.problem.value).desc).toMatchObject({ h: 9, kh: 2, k: 3 });
  });

  test('does not apply to openings and undo', () => {
    const store = locking([...LOCKABLE]);
    const other = { ...notebook4(), loss: { kind: 'given', dy: { kind: 'random', seed: 3 } } as const };
    store.open(other, 'everything');
    expect(store.problem.value).toBe(other);
    store.undo();
    expect(store.problem.value).not.toBe(other);
  });
});

test('every command that can be locked or hidden exists', () => {
  const ids = COMMANDS.map(({ id }) => id);
  for (const part of ['lessons', 'examples', 'undo', 'redo', 'copy-link', 'export', 'hide', 'controls']) {
    expect(ids).toContain(part);
    expect([isLockable(part), isHideable(part)]).toEqual([true, true]);
  }
});
