import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CASES, linkTo } from '../e2e/support/notebook';
import { renewedSite } from '../e2e/support/renewed-site';
import { type Serving, type Site, serveSite } from '../e2e/support/site';
import type { Driver } from './driver';
import { ENGINES } from './engines';
import { Playground, VIEWS } from './page';
import type { Target } from './probe';

// Without network, and after the site was renewed, in an engine whose service workers are not Chromium's (that one has more
// of this in e2e/offline.test.ts). WebKitGTK gives an automated session no storage that outlives it.

const opening = CASES.find(({ name }) => name.startsWith('4 ')) ?? CASES[0];
const KEPT = `navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller ||
  new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))).then(() => 'kept')`;

const firefox = ENGINES.find(({ name }) => name === 'Firefox');

describe.skipIf(!firefox || firefox.missing)('Firefox keeps the page', () => {
  let serving: Serving = {};
  let site: Site;
  let newer: string;
  let driver: Driver;
  let page: Playground;
  beforeAll(async () => {
    if (!firefox || firefox.missing) return;
    newer = await renewedSite();
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

  /** Every view is opened, and what the page computes is there. */
  const walk = async (values: readonly number[]) => {
    expect(await page.shows('y', values)).toEqual(values);
    for (const view of VIEWS) {
      await page.openView(view);
      await page.stageShows();
    }
    expect(await driver.evaluate(`document.body.textContent.includes('could not be fetched')`)).toBe(false);
  };

  it('without network: every mode, and what is edited is computed and found again', async () => {
    if (!opening) throw new Error('no notebook case');
    await page.open(linkTo(opening));
    expect(await driver.evaluate(KEPT)).toBe('kept');
    const { port } = new URL(site.url);
    await site.close();
    await page.open(linkTo(opening));
    await walk(opening.y);
    await page.openView('Board');
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

  it('renewed: the old one stays whole, the new one is offered and comes with the last edit', async () => {
    if (!opening) throw new Error('no notebook case');
    await page.open(linkTo(opening));
    expect(await driver.evaluate(KEPT)).toBe('kept');
    serving.root = newer;
    // Nothing that the old page has not fetched yet is on the server any more.
    await page.open(linkTo(opening));
    const offer: Target = { role: 'button', name: 'Reload' };
    await page.ask('present', offer);
    expect(await driver.evaluate('document.title')).toBe('conv2d playground');
    await walk(opening.y);
    await page.openView('Board');
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
