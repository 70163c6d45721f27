import { rm } from 'node:fs/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NOTEBOOK_4, useStage } from './support/browser';
import { cellAt, grid, readNumbers, setField, typeInto } from './support/grids';
import { MODES, openMode } from './support/modes';
import { type Serving, type Site, serveSite } from './support/site';
import { createUpdatedSite } from './support/updated-site';

/** A problem that is large enough to load the module with threads. */
const LARGE = '#h=96&w=96&kh=3&kw=3&c=16&k=32&x=ramp&weights=countdown:9';

const stage = useStage();
/** The folder of a newer build of the site. */
let newer: string;

beforeAll(async () => {
  newer = await createUpdatedSite();
});
afterAll(() => rm(newer, { recursive: true }));

let serving: Serving;
let site: Site;
let context: BrowserContext;
const troubles: string[] = [];

beforeEach(async () => {
  serving = {};
  site = await serveSite(serving);
  context = await stage.newContext({ viewport: { width: 1440, height: 900 } });
  troubles.length = 0;
});
afterEach(async () => {
  await context.close();
  await site.close();
});

async function open(hash = NOTEBOOK_4): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => troubles.push(`uncaught: ${error.message}`));
  await page.goto(site.url + hash);
  await grid(page, 'dx').waitFor();
  return page;
}

/** Resolves when the service worker has cached everything and controls the page. */
const kept = (page: Page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
  });

/** Opens some parts that are loaded on demand; one test opens all views. */
async function walk(page: Page, views: readonly string[] = MODES.slice(0, 2)): Promise<void> {
  // A page in the background is drawn once a second.
  await page.bringToFront();
  for (const mode of views) {
    await openMode(page, mode);
    await page.getByRole('main').locator('canvas, table, [role=grid]').first().waitFor();
  }
  await page.getByRole('tab', { name: 'Algorithms' }).click();
  await page.getByRole('tabpanel', { name: 'Algorithms' }).locator('summary').first().waitFor();
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.getByRole('dialog', { name: 'Examples' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await page.getByText('failed to load').count()).toBe(0);
}

describe('after the first visit, without network', () => {
  it('the page opens with every view, and computes', async () => {
    const first = await open();
    await kept(first);
    await first.close();
    await site.close();
    const page = await open();
    expect((await readNumbers(page, 'y'))[0]).toBe(74);
    await walk(page, MODES);
    await typeInto(page, cellAt(page, 'x', 1, 1), '100');
    await expect.poll(async () => (await readNumbers(page, 'y'))[0]).toBe(74 + 8 * 100);
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('~');
    await page.reload();
    await expect.poll(async () => (await readNumbers(page, 'y'))[0]).toBe(74 + 8 * 100);
    expect(troubles).toEqual([]);
    site = await serveSite();
  });

  it('a page that stays open can load everything it has not opened yet', async () => {
    const page = await open();
    await kept(page);
    await site.close();
    await walk(page);
    expect(troubles).toEqual([]);
    site = await serveSite();
  });

  it('a site that was never visited does not open', async () => {
    await site.close();
    const page = await context.newPage();
    await expect(page.goto(site.url)).rejects.toThrow('ERR_CONNECTION_REFUSED');
    site = await serveSite();
  });
});

describe('an updated site', () => {
  const notice = (page: Page) =>
    page.getByRole('status').filter({ hasText: 'A new version of this page is available' });
  const titleOf = (page: Page) => page.title();

  it('is offered; after “Later” all files of the old version stay cached', async () => {
    const old = await open();
    await kept(old);
    serving.root = newer;
    // The server no longer has the files of the old page.
    const second = await open();
    expect(await titleOf(second)).toBe('conv2d playground');
    await notice(old).waitFor();
    await notice(second).waitFor();
    await walk(old);
    await notice(second).getByRole('button', { name: 'Later' }).click();
    await notice(second).waitFor({ state: 'detached' });
    await walk(second);
    expect(troubles).toEqual([]);
  });

  it('opens after one click with the last edit; other tabs keep the old files', async () => {
    const old = await open();
    await kept(old);
    serving.root = newer;
    const second = await open();
    await notice(second).waitFor();
    await typeInto(second, cellAt(second, 'x', 1, 1), '100');
    await notice(second).getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => titleOf(second)).toBe('Newer conv2d playground');
    await expect.poll(async () => (await readNumbers(second, 'y'))[0]).toBe(74 + 8 * 100);
    await site.close();
    await walk(old);
    await walk(second);
    // The other tab can still update.
    await notice(old).getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => titleOf(old)).toBe('Newer conv2d playground');
    expect(troubles).toEqual([]);
    site = await serveSite();
  });

  it('deletes the old files when no tab has the old version open', async () => {
    const old = await open();
    await kept(old);
    serving.root = newer;
    const second = await open();
    await notice(second).waitFor();
    const caches = () => second.evaluate(async () => (await window.caches.keys()).length);
    expect(await caches()).toBe(2);
    await notice(second).getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => titleOf(second)).toBe('Newer conv2d playground');
    await kept(second);
    await second.reload();
    expect(await caches()).toBe(2);
    await old.close();
    await second.reload();
    await expect.poll(caches).toBe(1);
    expect(troubles).toEqual([]);
  });

  it('is not installed when a file is incomplete', async () => {
    const old = await open();
    await kept(old);
    serving.root = newer;
    serving.patch = (file, body) => (/DxView-[^/]*js$/.test(file) ? body.subarray(0, 100) : body);
    const failed = await old.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      await registration.update();
      const { installing } = registration;
      return new Promise((resolve) => installing?.addEventListener('statechange', () => resolve(installing.state)));
    });
    expect(failed).toBe('redundant');
    expect(await notice(old).count()).toBe(0);
    await site.close();
    const page = await open();
    await walk(page);
    site = await serveSite();
  });
});

describe('files that only large problems need', () => {
  it('are cached once they were loaded', async () => {
    await site.close();
    site = await serveSite({ isolated: true });
    const page = await open();
    await kept(page);
    await page.goto(`${site.url}?again${LARGE}`);
    await grid(page, 'y[n=0, k=0]').waitFor();
    await setField(page, 'dilation', '2');
    const names = () =>
      page.evaluate(async () => {
        const [name = ''] = await window.caches.keys();
        return (await (await window.caches.open(name)).keys()).map(({ url }) => url).join();
      });
    await expect.poll(names).toMatch(/conv2d-threads.*wasm/);
  });
});
