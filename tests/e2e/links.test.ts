import * as fc from 'fast-check';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseLink } from '../../web/src/link/parse-link';
import { loadSamples } from '../../web/src/sources/tensor-sources';
import { THOROUGH } from '../thorough';
import { mutatedLinks } from '../web/link/mutated-links';
import { NO_LINK, openPage, useStage } from './support/browser';
import { briefly, computed, grid, readNumbers, setField } from './support/grids';
import { chooseFrom, MODES, openMode } from './support/modes';

const stage = useStage();

beforeAll(async () => {
  await loadSamples();
});

const follow = (page: Page, hash: string) =>
  page.evaluate((next) => {
    location.hash = next;
  }, hash);

/** Links that froze the page before there were limits: one for 0.9 s, one without end. */
const FREEZING = ['k=2000', 'k=10000', 'k=30000', 'k=100000', 'n=100000', 'c=100000', 'groups=65536&c=65536&k=65536']
  .map((sizes) => `h=5&kh=3&${sizes}`)
  .concat('n=3&h=7&w=9&k=2&kh=1&stride=2&padding=full&kw=1000000', 'h=11585&w=11585&kh=1&kw=1', 'a&'.repeat(20_000));

const REFUSED = /The link was not opened|is unknown and was ignored/;

/** Moves the clock of the page, which is installed, past the delay before the address is written. */
const passTime = (page: Page) => page.clock.runFor(600);

/** Every link without a mode opens the board. */
const OTHERS = MODES.filter((title) => title !== 'Overview');

const hashOf = (page: Page) => page.evaluate(() => location.hash);

/** An open page with a result. */
async function opened(hash = NO_LINK) {
  const open = await openPage(stage, {}, hash);
  await grid(open.page, 'dx').waitFor();
  return open;
}

describe('link at the limits of the page', () => {
  it('opens, and draws only what can be seen', async () => {
    const { page, troubles } = await opened();
    for (const [hash, y] of [
      ['h=5&kh=3&k=256', 'y[n=0, k=0]'],
      ['n=64&h=5&kh=3&c=256&k=256', 'y[n=0, k=0]'],
      ['h=1780&w=1780&kh=3&x=random:3', 'y'],
      ['h=1&w=4096&kh=1&kw=9&padding=same', 'y'],
    ] as const) {
      await follow(page, hash);
      await grid(page, y).waitFor();
      await computed(page);
      expect(await page.evaluate(() => document.querySelectorAll('*').length), hash).toBeLessThan(6000);
    }
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('lists its slices in a sheet, and draws only the visible ones', async () => {
    const { page, troubles } = await opened('#h=5&kh=3&k=256');
    await page.getByRole('button', { name: /^\d+ of 256, show all: filter of y$/ }).click();
    const sheet = page.locator('.slices__sheet-of-all:popover-open');
    await sheet.getByRole('radio', { name: 'k=0', exact: true }).waitFor();
    const last = sheet.getByRole('radio', { name: 'k=255', exact: true });
    expect(await last.count()).toBe(0);
    await sheet.locator('.slices__lines').evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await last.waitFor();
    expect(await sheet.getByRole('radio', { name: 'k=0', exact: true }).count()).toBe(0);
    // 15 rows of 12 are visible, plus two rows above.
    expect(await sheet.getByRole('radio').count()).toBeLessThan(220);
    await last.click({ force: true });
    await grid(page, 'y[n=0, k=255]').waitFor();
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});

describe('links in sequence', () => {
  it.each([
    ['that froze the page once', FREEZING],
    ['that were mutated', fc.sample(mutatedLinks, { numRuns: THOROUGH ? 60 : 30, seed: 13 })],
  ])('%s: open without errors, or give a message', async (_name, hashes) => {
    const { page, troubles } = await opened();
    for (const hash of hashes) {
      await follow(page, hash);
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
      if (parseLink(hash).fault !== null) await page.getByText(REFUSED).first().waitFor();
    }
    expect(await page.locator('.notice').count()).toBeLessThan(3);
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});

it('Back and Forward move views and examples with their values', async () => {
  const { page, troubles } = await opened('#h=5&kh=3&x=random:2');
  await page.clock.install();
  await setField(page, 'height', '6');
  await openMode(page, 'dx');
  await expect.poll(() => hashOf(page)).toContain('mode=dx');
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.getByRole('button', { name: 'Checkerboard' }).click();
  await expect.poll(() => hashOf(page)).not.toContain('x=random:2');
  await page.goBack();
  await expect.poll(() => hashOf(page)).toMatch(/h=6&.*x=random:2.*mode=dx/);
  await page.goBack();
  await expect.poll(() => readNumbers(page, 'x')).toHaveLength(30);
  await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor();
  await passTime(page);
  await page.goForward();
  await page.getByRole('tab', { name: 'dx', exact: true, selected: true }).waitFor();
  await page.context().close();
  expect(troubles).toEqual([]);
});

it('shows the selected link in a field without a clipboard, as on plain http', async () => {
  const { page, troubles } = await openPage(stage, {}, '#h=5&kh=3');
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await chooseFrom(page, 'Share', 'Copy link');
  const field = page.getByRole('dialog', { name: 'Copy link' }).getByRole('textbox');
  await field.waitFor();
  await expect.poll(() => field.evaluate((box) => document.activeElement === box)).toBe(true);
  const selected = await page.evaluate(() => getSelection()?.toString());
  expect([selected, await field.inputValue()]).toEqual([page.url(), page.url()]);
  expect(troubles).toEqual([]);
});

it('reports the content of a long link before copying it', async () => {
  const { page, troubles } = await openPage(
    stage,
    { permissions: ['clipboard-read', 'clipboard-write'] },
    '#h=60&kh=1&x=random:3&weights=ones&cell=x.5',
  );
  const edit = async (value: string) => {
    await page.getByRole('textbox', { name: 'value of x[0,5]' }).fill(value);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.explain__title').textContent()).toContain(`= ${value}`);
  };
  const copy = () => chooseFrom(page, 'Share', 'Copy link');
  // 3,600 values, which the address contains.
  await edit('77');
  await briefly(page.getByText(/Link copied/), copy);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.length).toBeLessThan(8000);
  const other = await openPage(stage, {}, new URL(copied).hash);
  await other.page.getByRole('textbox', { name: 'value of x[0,5]' }).waitFor();
  expect(await other.page.locator('.explain__title').textContent()).toContain('= 77');
  await other.page.context().close();
  // An edited cell among 22,500 random ones: the link is longer than some programs accept.
  await follow(page, 'h=150&kh=1&x=random:3&weights=ones&cell=x.5');
  await page.getByRole('spinbutton', { name: 'height', exact: true, includeHidden: true }).waitFor();
  await edit('78');
  await copy();
  const sheet = page.getByRole('dialog', { name: 'Large link' });
  await sheet.getByText(/This link has 1\d,\d{3} characters/).waitFor();
  expect(await sheet.getByRole('row').nth(1).textContent()).toMatch(/^x22,5001\d,\d{3}$/);
  await sheet.getByRole('button', { name: 'Copy anyway' }).click();
  await sheet.getByText(/Link copied: 1\d,\d{3} characters/).waitFor();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    sheet.getByRole('button', { name: 'Save as file' }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe('conv2d-problem.json');
  await page.keyboard.press('Escape');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  // The file opens the same problem on another page.
  const third = await openPage(stage, {}, NO_LINK);
  await third.page.getByLabel('array file').setInputFiles(await saved.path());
  await expect.poll(() => third.page.locator('.explain__title').textContent()).toContain('x[0,5] = 78');
  expect(third.page.url()).toContain('x=random:3~omitted');
  await third.page.reload();
  await expect.poll(() => third.page.locator('.explain__title').textContent()).toContain('= 78');
  await third.page.context().close();
  await page.reload();
  await expect.poll(() => page.locator('.explain__title').textContent()).toContain('= 78');
  await page.context().close();
  expect([...troubles, ...other.troubles, ...third.troubles]).toEqual([]);
});

describe('invalid link', () => {
  it('stays in the address and can be corrected', async () => {
    const { page, troubles } = await opened('#h=7&kh=3&x=random:2');
    const numbers = await readNumbers(page, 'y');
    await page.clock.install();
    await follow(page, 'h=5&kh=3&k=2000');
    await page.getByText('k is 2000, but at most 256').waitFor();
    await passTime(page);
    expect(await hashOf(page)).toBe('#h=5&kh=3&k=2000');
    expect(await readNumbers(page, 'y')).toEqual(numbers);
    await page.getByRole('textbox', { name: 'Edit the link' }).fill('h=5&kh=3&k=2');
    await page.getByRole('button', { name: 'Open link' }).click();
    await grid(page, 'y[n=0, k=0]').waitFor();
    await page.getByText('k is 2000').waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByText('k is 2000, but at most 256').waitFor();
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('with twenty thousand fields is refused with one short message', async () => {
    const { page, troubles } = await opened();
    await follow(page, 'a&'.repeat(20_000));
    const notice = page.getByText('it has 20,000 fields');
    await notice.waitFor();
    const box = await page.locator('.notice').boundingBox();
    expect(box?.height).toBeLessThan(120);
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('can be tried again if the link reader failed to load', async () => {
    const { page } = await opened();
    const reader = /parse-link/;
    await page.context().route(reader, (route) => route.abort());
    await page.clock.install();
    await follow(page, 'h=6&kh=2');
    await page.getByText('failed to load').waitFor();
    await passTime(page);
    expect(await hashOf(page)).toBe('#h=6&kh=2');
    expect(await readNumbers(page, 'y')).toHaveLength(9);
    await page.context().unroute(reader);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => readNumbers(page, 'y')).toHaveLength(25);
    await page.context().close();
  });
});

describe('problem that needs a confirmation', () => {
  it('from a link reports its cost and is computed after the confirmation', async () => {
    const { page, troubles } = await opened('#h=512&w=512&kh=3');
    await follow(page, 'h=3000&w=3000&kh=1&kw=1&x=ones');
    await page.getByText(/27 million multiply-adds and 275 MiB, (about .* on this machine|time unknown)/).waitFor();
    expect(await hashOf(page)).toBe('#h=3000&w=3000&kh=1&kw=1&x=ones');
    await page.getByRole('button', { name: 'Compute anyway' }).click();
    await expect.poll(() => page.getByRole('spinbutton', { name: 'height', exact: true }).inputValue()).toBe('3000');
    await computed(page);
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('from a control asks above the stage', async () => {
    const { page, troubles } = await opened('#h=1050&w=1000&kh=1');
    await setField(page, 'width', '4090');
    await page.getByText(/With width 4090 the problem needs/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByRole('spinbutton', { name: 'width', exact: true }).inputValue()).toBe('1000');
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});

describe('unknown algorithm', () => {
  const BOGUS = 'h=6&kh=3&x=random:4&forward=bogus';

  it('in a link followed on an open page gives a message, and can be removed with one click', async () => {
    const { page, troubles } = await opened();
    await follow(page, BOGUS);
    await page.getByText(/The change was undone: .*bogus/).waitFor();
    await page.getByRole('button', { name: 'Let the library choose', exact: true }).click();
    await expect.poll(() => readNumbers(page, 'y')).toHaveLength(16);
    await expect.poll(() => hashOf(page)).toContain('x=random:4');
    await page.context().close();
    expect(troubles).toEqual([]);
  });

  it('in the link that opens the page gives a message, and can be removed with one click', async () => {
    const { page, troubles } = await openPage(stage, {}, `#${BOGUS}`);
    await page.getByText(/bogus/).first().waitFor();
    await page.getByRole('button', { name: 'Let the library choose', exact: true }).click();
    await expect.poll(() => readNumbers(page, 'y')).toHaveLength(16);
    await expect.poll(() => hashOf(page)).toContain('x=random:4');
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});

describe('grid of one row', () => {
  it('is drawn in every view', async () => {
    const { page, troubles } = await opened();
    for (const [hash, columns] of [
      ['h=1&w=4096&kh=1&kw=3&padding=same', 4096],
      ['h=1&w=800&kh=1&kw=5&padding=9', 800],
    ] as const) {
      await follow(page, hash);
      await page.locator('.panel--x .figure__size', { hasText: `1 × ${columns}` }).waitFor();
      for (const title of OTHERS) {
        const main = await openMode(page, title);
        await main.locator('.canvas').waitFor();
      }
    }
    await page.context().close();
    expect(troubles).toEqual([]);
  });
});
