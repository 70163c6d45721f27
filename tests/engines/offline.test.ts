import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CASES, linkTo } from '../e2e/support/notebook';
import { type Serving, type Site, serveSite } from '../e2e/support/site';
import { createUpdatedSite } from '../e2e/support/updated-site';
import type { Driver } from './driver';
import { ENGINES } from './engines';
import { Playground, VIEWS } from './page';
import type { Target } from './probe';

// Tests the page offline and after an update of the site, in an engine with service workers other than Chromium's
// (e2e/offline.test.ts covers Chromium). WebKitGTK has no persistent storage in automated sessions.

const opening = CASES.find(({ name }) => name.startsWith('4 ')) ?? CASES[0];
const INSTALLED = `navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller ||
  new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))).then(() => 'installed')`;

const firefox = ENGINES.find(({ name }) => name === 'Firefox');

describe.skipIf(!firefox || firefox.missing)('Firefox offline storage', () => {
  let serving: Serving = {};
  let site: Site;
  let newer: string;
  let driver: Driver;
  let page: Playground;
  beforeAll(async () => {
    if (!firefox || firefox.missing) return;
    newer = await createUpdatedSite();
    site = await serveSite(serving);
    driver = await firefox.start();
    page = new Playground(driver, site.url);
    await driver.resize(1440, 900);
  });
  afterAll(async () => {
    await driver?.close();
    await site?.close();
    if (newer) await rm(newer, { recursive: true });
  });

  /** Opens every view and checks that it shows computed values. */
  const walk = async (values: readonly number[]) => {
    expect(await page.shows('y', values)).toEqual(values);
    for (const view of VIEWS) {
      await page.openView(view);
      await page.stageShows();
    }
    expect(await driver.evaluate(`document.body.textContent.includes('failed to load')`)).toBe(false);
  };

  it('without network, every view opens, and edits are computed and restored', async () => {
    if (!opening) throw new Error('no notebook case');
    await page.open(linkTo(opening));
    expect(await driver.evaluate(INSTALLED)).toBe('installed');
    const { port } = new URL(site.url);
    await site.close();
    await page.open(linkTo(opening));
    await walk(opening.y);
    await page.openView('Overview');
    const [first = Number.NaN, ...others] = opening.y;
    const edited = [first + 8 * 100, ...others];
    await page.edit('x', 0, '100');
    expect(await page.shows('y', edited)).toEqual(edited);
    await page.ask('address', ['x=[^&]*~']);
    await driver.open(String(await driver.evaluate('location.href')));
    expect(await page.shows('y', edited)).toEqual(edited);
    serving = { port: Number(port) };
    site = await serveSite(serving);
  });

  it('after an update, the old page keeps working, and the new one is offered and keeps the last edit', async () => {
    if (!opening) throw new Error('no notebook case');
    await page.open(linkTo(opening));
    expect(await driver.evaluate(INSTALLED)).toBe('installed');
    // From here on the server does not have the files that the old page has not loaded yet.
    serving.root = newer;
    // Opening the page once more would check, too; but a check that the first opening had started could install the
    // newer version before that.
    await driver.evaluate(
      'navigator.serviceWorker.ready.then((registration) => registration.update()).then(() => true)',
    );
    const offer: Target = { role: 'button', name: 'Reload' };
    await page.ask('present', offer);
    expect(await driver.evaluate('document.title')).toBe('conv2d playground');
    await walk(opening.y);
    await page.openView('Overview');
    const [first = Number.NaN, ...others] = opening.y;
    const edited = [first + 8 * 100, ...others];
    await page.edit('x', 0, '100');
    expect(await page.shows('y', edited)).toEqual(edited);
    await page.press('Reload');
    await expect.poll(() => driver.evaluate('document.title').catch(() => ''), { timeout: 20_000 }).toMatch(/^Newer /);
    expect(await page.shows('y', edited)).toEqual(edited);
    await walk(edited);
  });
});
