import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenLinks } from '../../tools/docs/check-links.mjs';
import { QUIET } from '../e2e/support/browser';

const SITE = join(import.meta.dirname, '../../build/docs/site');
const ADDRESS = 'http://docs.test';
const AT = { base: '/docs/', page: '/' };

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
};

const read = (name: string): string => readFileSync(join(SITE, name), 'utf8');

/** The line about a link, after `change` of a page. */
function linesAfter(name: string, change: (html: string) => string): readonly string[] {
  const copy = mkdtempSync(join(tmpdir(), 'conv2d-docs-'));
  try {
    cpSync(SITE, copy, { recursive: true });
    writeFileSync(join(copy, name), change(read(name)));
    return brokenLinks(copy, AT).broken;
  } finally {
    rmSync(copy, { recursive: true });
  }
}

const planted = (link: string) => (html: string) => html.replace('</main>', `${link}</main>`);

describe('links of the documentation', () => {
  test('lead somewhere', () => {
    const { count, broken } = brokenLinks(SITE, AT);
    expect(broken).toEqual([]);
    expect(count).toBeGreaterThan(1000);
  });

  test.each([
    ['<a href="/docs/guides/none.html">', 'does not exist'],
    ['<a href="/docs/guides/cpp.html#none">', 'has no such part'],
    ['<a href="/other/">', 'leads out of the site'],
    ['<img src="https://elsewhere.test/a.png">', 'is a request to another site'],
  ])('are refused: %s %s', (link, fault) => {
    const lines = linesAfter('guides/c.html', planted(link));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(fault);
  });
});

describe('the reference', () => {
  test.each([
    ['C++', 'reference/cpp/conv2d-conv2d.html', ['backward_data', 'pack_weights', 'Plan']],
    ['C++ checks', 'reference/cpp/conv2d_check-check.html', ['judge', 'Verdict']],
    ['C', 'reference/c.html', ['conv2d_create_plan', 'conv2d_run', 'conv2d_judge']],
    ['Python', 'reference/python.html', ['forward', 'Plan.update', 'WrongResult']],
    ['JavaScript', 'reference/javascript.html', ['createConv', 'Layer', 'Layer.backward', 'check']],
  ])('of %s has a part for each name', (_, page, names) => {
    const html = read(page);
    for (const name of names) expect(html, name).toContain(`id="${name}"`);
  });
});

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: process.env['CHROME_PATH'] ?? '', args: [...QUIET] });
  });
  afterAll(() => browser?.close());

  /** A page of the site; `troubles` are errors and requests to other sites. */
  async function open(name: string): Promise<{ readonly page: Page; readonly troubles: string[] }> {
    const troubles: string[] = [];
    const page = await browser.newPage();
    await page.route('**/*', (route) => {
      const { origin, pathname } = new URL(route.request().url());
      const file = join(SITE, pathname.slice(AT.base.length - 1));
      const type = TYPES[extname(file)];
      if (origin === ADDRESS && pathname.startsWith(AT.base) && type)
        return route.fulfill({ path: file, contentType: type });
      troubles.push(`request: ${route.request().url()}`);
      return route.abort();
    });
    page.on('pageerror', (error) => troubles.push(`uncaught: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') troubles.push(`console: ${message.text()}`);
    });
    await page.goto(`${ADDRESS}${AT.base}${name}`);
    return { page, troubles };
  }

  test('the search finds a function in all languages, without a request to another site', async () => {
    const { page, troubles } = await open('index.html');
    await page
      .getByRole('button', { name: /search/i })
      .first()
      .click();
    await page.locator('#localsearch-input').fill('backward_data');
    const results = page.locator('#localsearch-list a');
    await expect.poll(() => results.count()).toBeGreaterThan(2);
    const links = await results.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toContain('/docs/reference/cpp/conv2d-conv2d.html#backward_data');
    await page.locator('#localsearch-list a[href$="conv2d-conv2d.html#backward_data"]').click();
    await page.waitForURL('**/reference/cpp/conv2d-conv2d.html#backward_data');
    expect(troubles).toEqual([]);
  });

  test('a page follows the colors of the system, and its button changes them', async () => {
    const { page, troubles } = await open('guides/cpp.html');
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(paper).toBe('rgb(23, 22, 27)');
    await page.getByRole('switch').first().click();
    await expect.poll(paper).toBe('rgb(251, 250, 247)');
    expect(troubles).toEqual([]);
  });

  test('a request to another site is refused and seen', async () => {
    const { page, troubles } = await open('guides/c.html');
    await page.evaluate(() => fetch('https://elsewhere.test/').catch(() => undefined));
    await expect.poll(() => troubles.join()).toMatch(/elsewhere\.test/);
  });

  test.each(['kernel', 'teach', 'embed', 'contribute'])('the start leads to %s with one click', async (way) => {
    const { page, troubles } = await open('index.html');
    await page.locator(`main a[href="/docs/guides/start/${way}.html"]`).click();
    await page.waitForURL(`**/guides/start/${way}.html`);
    await expect.poll(() => page.locator('h1').textContent()).toMatch(/^I /);
    expect(troubles).toEqual([]);
  });
});
