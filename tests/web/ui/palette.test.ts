import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GRID_COLORS } from '../../../web/src/ui/color-scale';

const SOURCE = join(import.meta.dirname, '../../../web/src');
const read = (name: string) => readFileSync(join(SOURCE, name), 'utf8');
const filesOf = (pattern: RegExp) =>
  readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) => pattern.test(name));

const [light = '', dark = ''] = read('styles/tokens.css').split('[data-theme="dark"]');

describe('the palette', () => {
  it.each([
    ['light', light],
    ['dark', dark],
  ] as const)('draws zero in the background color of the %s page', (theme, sheet) => {
    expect(/--paper: (\S+);/.exec(sheet)?.[1]).toBe(GRID_COLORS[theme].zero);
  });

  it('is the only definition of its colors', () => {
    const own = Object.keys(GRID_COLORS.light).filter((name) => new RegExp(`--${name}:`).test(light + dark));
    expect(own).toEqual([]);
  });

  // An undefined CSS property causes no error: the color is missing.
  it('defines every property that a style sheet uses', () => {
    const sheets = filesOf(/\.css$/).map((name) => ({ name, text: read(name) }));
    const scripts = filesOf(/\.tsx?$/)
      .map(read)
      .join();
    const defined = (property: string) =>
      property.slice(2) in GRID_COLORS.light ||
      sheets.some(({ text }) => text.includes(`${property}:`)) ||
      scripts.includes(`'${property}'`);
    const missing = sheets.flatMap(({ name, text }) =>
      [...text.matchAll(/var\((--[\w-]+)\)/g)]
        .map((match) => match[1] ?? '')
        .filter((used) => !defined(used))
        .map((used) => `${name}: ${used}`),
    );
    expect(missing).toEqual([]);
  });
});
