import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closeStage, NOTEBOOK_4, openStage, type Stage } from './support/browser';
import { FAULT_NAMES, FAULTS, type FaultName, FOR_PROGRAMMERS } from './support/faults';
import { grid } from './support/grids';
import { type Answer, DIST, type Serving } from './support/site';

/** Kept: what is served is changed from test to test. */
const serving: Serving = {};
let stage: Stage;
let page: Page;

beforeAll(async () => {
  stage = await openStage(serving);
});
afterAll(() => closeStage(stage));
afterEach(async () => {
  serving.patch = undefined;
  await page.context().close();
});

async function open(options: BrowserContextOptions = {}, prepare?: (fresh: Page) => Promise<unknown>): Promise<void> {
  page = await (await stage.browser.newContext(options)).newPage();
  await prepare?.(page);
  await page.goto(stage.site.url + NOTEBOOK_4);
}

/** Serves files that are like `pattern` with a fault. */
function harm(pattern: RegExp, fault: (body: Buffer) => Answer): void {
  serving.patch = (file, body) => (pattern.test(file) ? fault(body) : body);
}

/** A person sees it, and nothing of it is for programmers. */
async function reads(text: RegExp): Promise<void> {
  const notice = page.getByText(text);
  await notice.waitFor({ timeout: 15_000 });
  const said = (await notice.textContent()) ?? '';
  expect(said).not.toMatch(FOR_PROGRAMMERS);
}

const NOT_FETCHED = /A part of the page could not be fetched\. Check the connection/;
const DAMAGED = /The page did not start: a part of it arrived damaged/;
const NO_WORKER = /What computes did not start: its file could not be fetched, or arrived damaged/;
const NO_MODULE = /What computes could not be fetched, or arrived damaged/;

const FILES = {
  'the page script': /page-[^/]*\.js$/,
  'the style sheet': /page-[^/]*\.css$/,
  'the worker': /worker-[^/]*\.js$/,
  'the engine': /engine-[^/]*\.js$/,
  'the loader': /conv2d-(simd|relaxed)[^/]*\.js$/,
  'the module': /\.wasm$/,
} as const;
type FileName = keyof typeof FILES;

/** What is read when a file of the start has a fault. */
const READ: Readonly<Record<FileName, (fault: FaultName) => RegExp>> = {
  'the page script': (fault) => (fault === 'truncated' ? DAMAGED : NOT_FETCHED),
  'the style sheet': (fault) => (fault === 'missing' ? NOT_FETCHED : DAMAGED),
  'the worker': () => NO_WORKER,
  'the engine': () => NO_WORKER,
  'the loader': () => NO_MODULE,
  'the module': () => NO_MODULE,
};

describe.each(FAULT_NAMES)('a file of the start that is %s', (fault) => {
  it.each(Object.keys(FILES) as FileName[])('%s', async (name) => {
    harm(FILES[name], FAULTS[fault]);
    await open();
    await reads(READ[name](fault));
    // Mended, it goes on: by the button where there is one.
    serving.patch = undefined;
    const again = page.getByRole('button', { name: 'Try again' });
    if (await again.isVisible()) await again.click();
    else await page.reload();
    await grid(page, 'dx').waitFor();
    expect(await page.locator('.start').count()).toBe(0);
  });
});

describe('a file of the start that is slow', () => {
  it.each([
    ['the page script', /The page has not started yet/],
    ['the worker', /Loading the library/],
    ['the module', /Loading the library/],
  ] as const)('%s', async (name, text) => {
    let send = () => {};
    const after = new Promise<void>((resolve) => {
      send = resolve;
    });
    harm(FILES[name], (body) => ({ body, after }));
    page = await (await stage.browser.newContext()).newPage();
    await page.goto(stage.site.url + NOTEBOOK_4, { waitUntil: 'commit' });
    // Without its style sheet nothing is painted, but all of it counts as visible.
    await expect.poll(() => page.evaluate(() => document.styleSheets.length)).toBeGreaterThan(0);
    await reads(text);
    send();
    await grid(page, 'dx').waitFor();
    await page.getByText(text).waitFor({ state: 'hidden' });
  });
});

describe('a browser without', () => {
  it.each(['Worker', 'ResizeObserver', 'OffscreenCanvas'] as const)('%s', async (name) => {
    await open({}, (fresh) => fresh.addInitScript((missing) => Reflect.deleteProperty(window, missing), name));
    await reads(/This browser cannot show the page: it has no (background workers|ResizeObserver|OffscreenCanvas)\./);
  });

  it('WebAssembly', async () => {
    harm(/engine-[^/]*\.js$/, (body) => ({ body: Buffer.concat([Buffer.from('delete self.WebAssembly;'), body]) }));
    await open();
    await reads(/This browser has no WebAssembly SIMD/);
  });

  it('scripts', async () => {
    await open({ javaScriptEnabled: false });
    await reads(/It needs JavaScript/);
  });
});

describe('a page that', () => {
  it('was opened as a file says so', async () => {
    page = await (await stage.browser.newContext()).newPage();
    await page.goto(pathToFileURL(join(DIST, 'index.html')).href);
    await reads(/The page was opened as a file/);
  });

  it('starts as it should shows none of this', async () => {
    page = await (await stage.browser.newContext()).newPage();
    await page.addInitScript(() => {
      const seen: boolean[] = [];
      Object.assign(window, { seen });
      const look = () => {
        const notice = document.querySelector('.start, #start');
        if (notice) seen.push(getComputedStyle(notice).visibility === 'visible');
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.goto(stage.site.url + NOTEBOOK_4);
    await grid(page, 'dx').waitFor();
    const seen = await page.evaluate(() => (window as unknown as { seen: boolean[] }).seen);
    expect(seen).not.toContain(true);
    expect(await page.locator('.start').count()).toBe(0);
  });
});
