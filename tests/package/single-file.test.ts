// The page in one file: its size, and that nothing leaves it, opened from the disk and in a frame of another page by srcdoc.

import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Frame, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QUIET } from '../e2e/support/browser';
import { SINGLE_FILE } from '../single-file';

const ADDRESS = pathToFileURL(SINGLE_FILE).href;
/** Bytes. Many platforms and mail servers refuse pages above a megabyte. */
const LIMIT = 900_000;

/** Of sites, by the query that asks for them. */
const POLICIES: Readonly<Record<string, string>> = {
  '?strict': "script-src 'self' 'unsafe-inline'",
  '?without-workers': "default-src 'self' 'unsafe-inline' 'unsafe-eval'",
};

let browser: Browser;
beforeAll(async () => {
  const executablePath = process.env['CHROME_PATH'];
  if (!executablePath) throw new Error('CHROME_PATH must name a Chromium; `npm test` sets it');
  browser = await chromium.launch({ executablePath, args: [...QUIET] });
});
afterAll(() => browser.close());

it('has at most 900 kB', () => {
  const { size } = statSync(SINGLE_FILE);
  console.info(`the page in one file: ${(size / 1000).toFixed(1)} kB, limit ${LIMIT / 1000} kB`);
  expect(size).toBeLessThanOrEqual(LIMIT);
});

/** A page, with everything that it asks for, and its errors. */
async function open(address: string): Promise<{ readonly page: Page; readonly seen: readonly string[] }> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
  const seen: string[] = [];
  page.on('pageerror', ({ message }) => seen.push(`uncaught: ${message}`));
  page.on('console', (message) => message.type() === 'error' && seen.push(`console: ${message.text()}`));
  // Also those of its frames and workers.
  page.context().on('request', (request) => {
    if (!/^(blob|data):/.test(request.url())) seen.push(request.url());
  });
  await page.goto(address);
  return { page, seen };
}

const numbers = (frame: Page | Frame, tensor: string) =>
  frame
    .getByRole('grid', { name: tensor, exact: true })
    .getByRole('gridcell')
    .evaluateAll((cells) => cells.flatMap((cell) => cell.getAttribute('data-value') ?? []).map(Number));

/** 5 × 5 ones with a kernel of 3 × 3 ones, at stride 1 and 2. */
const ONES = '#h=5&kh=3&x=ones&weights=ones';
const NINES = Array(9).fill(9);
const FEWER = Array(4).fill(9);

/** Follows a link and an edit, and writes its own link. */
async function use(frame: Page | Frame): Promise<void> {
  const go = (hash: string) => frame.evaluate((next) => void Object.assign(location, { hash: next }), hash);
  await go(ONES);
  await expect.poll(() => numbers(frame, 'y')).toEqual(NINES);
  const stride = frame.getByRole('spinbutton', { name: 'stride' });
  await stride.fill('2');
  await stride.press('Enter');
  await expect.poll(() => numbers(frame, 'y')).toEqual(FEWER);
  await expect.poll(() => frame.evaluate(() => location.hash)).toMatch(/stride=2/);
}

it('asks for nothing when it is opened from the disk', async () => {
  const { page, seen } = await open(ADDRESS);
  await use(page);
  expect(seen).toEqual([ADDRESS]);
  await page.close();
});

describe('in a frame', () => {
  let host: Server;
  let address = '';
  beforeAll(async () => {
    host = createServer(({ url }, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      const policy = POLICIES[new URL(url ?? '', 'http://host').search];
      if (policy) response.setHeader('Content-Security-Policy', policy);
      response.end(
        url?.startsWith('/conv2d') ? readFileSync(SINGLE_FILE) : '<!doctype html><link rel="icon" href="data:,"><body>',
      );
    });
    host.listen(0, '127.0.0.1');
    await once(host, 'listening');
    address = `http://127.0.0.1:${(host.address() as AddressInfo).port}/`;
  });
  afterAll(() => host.close());

  it.each([
    { by: 'srcdoc', sandbox: null, stores: true },
    { by: 'srcdoc', sandbox: 'allow-scripts', stores: false },
    { by: 'src', sandbox: 'allow-scripts', stores: false },
    { by: 'src', sandbox: 'allow-scripts allow-same-origin', stores: true },
  ])(
    'by $by with sandbox $sandbox, it computes, asks for nothing, and says whether it stores anything',
    async (given) => {
      const { by, sandbox, stores } = given;
      const { page, seen } = await open(address);
      // `embed=1` is no view: Moodle adds it to the address of a file in a frame.
      const text = by === 'srcdoc' ? readFileSync(SINGLE_FILE, 'utf8') : `${address}conv2d.html?embed=1`;
      await page.evaluate(
        ([name, value, permissions]) => {
          const frame = document.createElement('iframe');
          if (permissions !== null) frame.setAttribute('sandbox', permissions);
          Object.assign(frame, { [name]: value, width: 1400, height: 900 });
          document.body.append(frame);
        },
        [by, text, sandbox] as const,
      );
      const frame = await (await page.waitForSelector('iframe')).contentFrame();
      if (!frame) throw new Error('the frame is empty');
      await frame.getByRole('grid', { name: 'dx', exact: true }).waitFor();
      await use(frame);
      await frame.getByRole('button', { name: 'More' }).click();
      await frame.getByRole('menuitem', { name: 'About' }).click();
      const about = frame.getByRole('dialog');
      await about.getByText('This page is one file').waitFor();
      expect(await about.getByText('may store nothing here').count()).toBe(stores ? 0 : 1);
      expect(seen).toEqual(by === 'srcdoc' ? [address] : [address, text]);
      await page.close();
    },
  );

  it('computes in the page where a policy forbids workers of blobs and requests of data', async () => {
    const { page } = await open(`${address}conv2d.html?without-workers`);
    const refused = await page.evaluate(() =>
      new Promise((resolve) => {
        const worker = new Worker(URL.createObjectURL(new Blob([''])));
        worker.onerror = () => resolve(true);
      }).catch(() => true),
    );
    expect(refused).toBe(true);
    await use(page);
    await page.close();
  });

  it('says that a site with a policy of its own may forbid WebAssembly, as Canvas can', async () => {
    const { page } = await open(`${address}conv2d.html?strict`);
    await page
      .getByText('The compute engine failed to load. The site may forbid WebAssembly: save this page')
      .waitFor();
    await page.close();
  });
});
