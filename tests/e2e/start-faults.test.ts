import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { THOROUGH } from '../thorough';
import { NOTEBOOK_4, useStage } from './support/browser';
import { FAULT_NAMES, FAULTS, type FaultName, TECHNICAL_TERMS } from './support/faults';
import { grid } from './support/grids';
import { type Answer, DIST, type Serving } from './support/site';

/** Changed by each test. */
const serving: Serving = {};
let page: Page;

const stage = useStage(serving);
afterEach(async () => {
  serving.patch = undefined;
  await page.context().close();
});

async function open(options: BrowserContextOptions = {}, prepare?: (fresh: Page) => Promise<unknown>): Promise<void> {
  page = await (await stage.newContext(options)).newPage();
  await prepare?.(page);
  await page.goto(stage.site.url + NOTEBOOK_4);
}

/** Serves files that match `pattern` with a fault. */
function harm(pattern: RegExp, fault: (body: Buffer) => Answer): void {
  serving.patch = (file, body) => (pattern.test(file) ? fault(body) : body);
}

/** Expects a visible message without words for programmers. */
async function shows(text: RegExp): Promise<void> {
  const notice = page.getByText(text);
  await notice.waitFor();
  const said = (await notice.textContent()) ?? '';
  expect(said).not.toMatch(TECHNICAL_TERMS);
}

const NOT_LOADED = /A part of the page failed to load\. Check your connection/;
const DAMAGED = /The page did not start: a file is damaged/;
const NO_ENGINE = /The compute engine failed to load\. Check your connection and try again/;

const FILES = {
  'the page script': /page-[^/]*\.js$/,
  'the style sheet': /page-[^/]*\.css$/,
  'the worker': /worker-[^/]*\.js$/,
  'the engine': /engine-[^/]*\.js$/,
  'the loader': /conv2d-(simd|relaxed)[^/]*\.js$/,
  'the module': /\.wasm$/,
} as const;
type FileName = keyof typeof FILES;

/** The message for a fault in a file of the start. */
const MESSAGE: Readonly<Record<FileName, (fault: FaultName) => RegExp>> = {
  'the page script': (fault) => (fault === 'truncated' ? DAMAGED : NOT_LOADED),
  'the style sheet': (fault) => (fault === 'missing' ? NOT_LOADED : DAMAGED),
  'the worker': () => NO_ENGINE,
  'the engine': () => NO_ENGINE,
  'the loader': () => NO_ENGINE,
  'the module': () => NO_ENGINE,
};

/** All pairs, or each file once and each fault twice. */
const PAIRS = (Object.keys(FILES) as FileName[]).flatMap((name, i) =>
  FAULT_NAMES.filter((_, j) => THOROUGH || j === i % FAULT_NAMES.length).map((fault) => [name, fault] as const),
);

describe('a start file', () => {
  it.each(PAIRS)('%s that is %s', async (name, fault) => {
    harm(FILES[name], FAULTS[fault]);
    await open();
    await shows(MESSAGE[name](fault));
    // Without the fault it continues: with the button, or after a reload.
    serving.patch = undefined;
    const again = page.getByRole('button', { name: 'Try again' });
    if (await again.isVisible()) await again.click();
    else await page.reload();
    await grid(page, 'dx').waitFor();
    expect(await page.locator('.start').count()).toBe(0);
  });
});

it('reports a page script that ends before the page starts, without an error', async () => {
  harm(FILES['the page script'], () => ({ body: Buffer.alloc(0) }));
  await open();
  await shows(DAMAGED);
});

describe('a slow start file', () => {
  it.each([
    ['the page script', /The page has not started yet/],
    ['the worker', /Loading the compute engine/],
    ['the module', /Loading the compute engine/],
  ] as const)('%s', async (name, text) => {
    let send = () => {};
    const after = new Promise<void>((resolve) => {
      send = resolve;
    });
    harm(FILES[name], (body) => ({ body, after }));
    page = await (await stage.newContext()).newPage();
    await page.goto(stage.site.url + NOTEBOOK_4, { waitUntil: 'commit' });
    // Without its style sheet nothing is painted, but everything counts as visible.
    await expect.poll(() => page.evaluate(() => document.styleSheets.length)).toBeGreaterThan(0);
    await shows(text);
    send();
    await grid(page, 'dx').waitFor();
    await page.getByText(text).waitFor({ state: 'hidden' });
  });
});

describe('a browser without', () => {
  it.each(['Worker', 'ResizeObserver', 'OffscreenCanvas'] as const)('%s', async (name) => {
    await open({}, (fresh) => fresh.addInitScript((missing) => Reflect.deleteProperty(window, missing), name));
    await shows(/This browser cannot show the page: it has no (background workers|ResizeObserver|OffscreenCanvas)\./);
  });

  it('WebAssembly', async () => {
    harm(/engine-[^/]*\.js$/, (body) => ({ body: Buffer.concat([Buffer.from('delete self.WebAssembly;'), body]) }));
    await open();
    await shows(/This browser has no WebAssembly SIMD/);
  });

  it('scripts', async () => {
    await open({ javaScriptEnabled: false });
    await shows(/It needs JavaScript/);
  });
});

describe('the page', () => {
  it('says that it was opened as a file', async () => {
    page = await (await stage.newContext()).newPage();
    await page.goto(pathToFileURL(join(DIST, 'index.html')).href);
    await shows(/The page was opened as a file/);
  });

  it('shows no start message when it starts normally', async () => {
    page = await (await stage.newContext()).newPage();
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
