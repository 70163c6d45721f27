import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import { THOROUGH } from '../thorough';
import { useStage } from './support/browser';
import { checkFonts, checkPicture, differenceOf } from './support/pictures';
import { decodePng, encodePng } from './support/png';

// Pictures of every component of ui/ and views/shared in every state. CONV2D_PICTURES=accept stores them anew.

const stage = useStage({ root: join(import.meta.dirname, '../../build/gallery') });

beforeAll(() => build({ configFile: join(import.meta.dirname, '../gallery/vite.config.ts'), logLevel: 'warn' }));

const THEMES = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['forced', { colorScheme: 'light', forcedColors: 'active' }],
] as const;

async function openGallery(options: (typeof THEMES)[number][1] = { colorScheme: 'light' }) {
  const context = await stage.newContext({
    viewport: { width: 720, height: 900 },
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    ...options,
  });
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text());
  });
  await page.goto(`${stage.site.url}index.html`);
  await page.locator('#formulas').waitFor();
  await page.evaluate(() => document.fonts.ready);
  await forceStates(page);
  return { page, troubles };
}

/** Gives the elements that a specimen names their state: the browser applies the rules of :hover and :focus-visible. */
async function forceStates(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  for (const specimen of await page.locator('[data-force]').all()) {
    const [force, on] = await Promise.all(['data-force', 'data-on'].map((name) => specimen.getAttribute(name)));
    const id = await specimen.evaluate((element, selector) => {
      const target = element.querySelector(selector);
      target?.setAttribute('data-forced', String(document.querySelectorAll('[data-forced]').length));
      return target?.getAttribute('data-forced');
    }, on ?? '');
    if (id == null) throw new Error(`nothing matches ${on}`);
    const { nodeId } = await session.send('DOM.querySelector', {
      nodeId: root.nodeId,
      selector: `[data-forced="${id}"]`,
    });
    const states = force === 'focus-visible' ? ['focus', 'focus-visible'] : [force ?? ''];
    await session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses: states });
  }
}

/** Opens what the section says, and takes its picture. */
async function pictureOf(page: Page, name: string): Promise<Buffer> {
  const section = page.locator(`#${name}`);
  await section.evaluate((element) => element.scrollIntoView());
  const { clicks, hovers, keys, shows } = await section.evaluate((element) => ({
    ...(element as HTMLElement).dataset,
  }));
  await page.mouse.move(0, 0);
  if (clicks) await section.locator(clicks).first().click();
  for (const key of keys?.split(' ') ?? []) await page.keyboard.press(key);
  if (hovers) await section.locator(hovers).first().hover();
  const picture = await section.locator(shows ?? 'xpath=.').screenshot({ animations: 'disabled', caret: 'hide' });
  // Closes what was opened.
  await page.keyboard.press('Escape');
  return picture;
}

/** Widths of a text in the fonts of the page, in CSS pixels. */
function widthsOfFonts(): Record<string, number> {
  const context = document.createElement('canvas').getContext('2d');
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(
    ['--sans', '--symbol', '--mono'].map((name) => {
      if (context) context.font = `100px ${style.getPropertyValue(name)}`;
      return [name, Math.round(context?.measureText('Σ Quick brown fox 0123').width ?? 0)];
    }),
  );
}

const namesIn = (page: Page) => page.locator('section').evaluateAll((sections) => sections.map(({ id }) => id));

it.for(THOROUGH ? THEMES : THEMES.slice(0, 1))(
  'every component looks as before: %s',
  async ([theme, options], { skip }) => {
    const { page, troubles } = await openGallery(options);
    const otherFonts = checkFonts(await page.evaluate(widthsOfFonts));
    if (otherFonts) {
      process.stdout.write(`${otherFonts}\n`);
      skip(otherFonts);
    }
    const wrong: string[] = [];
    for (const name of await namesIn(page)) {
      const found = checkPicture(`${name}-${theme}`, await pictureOf(page, name));
      if (found) wrong.push(found);
    }
    expect(wrong, wrong.join('\n')).toEqual([]);
    expect(troubles).toEqual([]);
    await page.context().close();
  },
);

describe('the comparison of pictures rejects', () => {
  let opened: Promise<Page>;
  beforeAll(() => {
    opened = openGallery().then(({ page }) => page);
  });

  it.each([
    ['a button 2 px to the right', '#button button:first-of-type { translate: 2px }', 'button'],
    ['a field 2 px taller', '#text-field input:first-of-type { height: 34px }', 'text-field'],
    ['a tab 2 px lower', '#tabs .tabs__tab:nth-child(2) { translate: 0 2px }', 'tabs'],
    ['another color of borders', ':root { --line-strong: #8d87a0 }', 'select'],
    ['another color of a mark', ':root { --id-x: oklch(0.52 0.13 215) }', 'marks'],
    ['another radius', ':root { --radius: 10px }', 'segmented'],
    ['text of another size', ':root { --text-s: 14px }', 'messages'],
    ['no focus ring', ':focus-visible { outline: none !important }', 'checkbox'],
  ])('%s', async (_, css, name) => {
    const page = await opened;
    const before = decodePng(await pictureOf(page, name));
    const now = async () => differenceOf(before, decodePng(await pictureOf(page, name)));
    expect(await now()).toBeNull();
    const style = await page.addStyleTag({ content: css });
    expect(await now()).not.toBeNull();
    await style.evaluate((element: Element) => element.remove());
    expect(await now()).toBeNull();
  });
});

it('reads the pictures that it compares', () => {
  const colorAt = (row: number, col: number) => [row, col, (row * col) % 256] as const;
  const { width, height, rgb } = decodePng(encodePng(5, 3, colorAt));
  expect([width, height]).toEqual([5, 3]);
  expect([...rgb]).toEqual(Array.from({ length: 15 }, (_, i) => colorAt(Math.floor(i / 5), i % 5)).flat());
});
