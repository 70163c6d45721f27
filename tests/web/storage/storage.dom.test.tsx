import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { removeStored } from '../../../web/src/storage/remove';
import { readStored, writeStored } from '../../../web/src/storage/storage';

/** Keys of the browser's storage, which all pages of one origin share. */

const PREFIX = 'conv2d playground ';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

test('all keys have the prefix of this page', () => {
  writeStored('localStorage', 'theme', 'dark');
  writeStored('sessionStorage', 'kept', '{}');
  expect([Object.keys(localStorage), Object.keys(sessionStorage)]).toEqual([[`${PREFIX}theme`], [`${PREFIX}kept`]]);
});

test('a value that an earlier version stored is read, until there is a newer one', () => {
  localStorage.setItem('lessons', 'earlier');
  expect(readStored('localStorage', 'lessons')).toBe('earlier');
  writeStored('localStorage', 'lessons', '');
  expect(readStored('localStorage', 'lessons')).toBe('');
  // It may belong to another page.
  expect(localStorage.getItem('lessons')).toBe('earlier');
});

test('a removed value of an earlier version does not come back', () => {
  sessionStorage.setItem('kept', 'earlier');
  expect(readStored('sessionStorage', 'kept')).toBe('earlier');
  removeStored('kept');
  expect(readStored('sessionStorage', 'kept')).toBeNull();
});

test('single keys stay on although an earlier version switched them off', async () => {
  localStorage.setItem('single-keys', 'off');
  vi.resetModules();
  const { singleKeys, startSingleKeys } = await import('../../../web/src/ui/single-keys');
  const { switchSingleKeys } = await import('../../../web/src/ui/switch-single-keys');
  startSingleKeys();
  expect(singleKeys.value).toBe(false);
  switchSingleKeys(true);
  singleKeys.value = false;
  startSingleKeys();
  expect(singleKeys.value).toBe(true);
});

test.each([
  [{ [`${PREFIX}theme`]: 'dark', theme: 'light' }, 'dark'],
  [{ theme: 'dark' }, 'dark'],
  [{}, 'light'],
])('the boot script sets the theme of %j', (stored, theme) => {
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: false } as MediaQueryList);
  const script = readFileSync(join(import.meta.dirname, '../../../web/src/boot/boot.ts'), 'utf8');
  const [, first = ''] = /try (\{.*?\n\}) catch/s.exec(script) ?? [];
  new Function(first)();
  expect(document.documentElement.dataset.theme).toBe(theme);
});
